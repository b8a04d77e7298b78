-- What Postgres knows of a table or view of the product: for whoever looks at it in a catalog.

-- columns --
-- Columns of a table in their order, with what Postgres calls their types.
select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
       coalesce(a.attnum = any(k.conkey), false) as in_key,
       col_description(a.attrelid, a.attnum) as description
from pg_attribute a
left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
where a.attrelid = to_regclass(%(name)s) and a.attnum > 0 and not a.attisdropped
order by a.attnum;
