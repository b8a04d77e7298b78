-- What reading tells beyond text and tables: where metadata stands, forecasts, flags of pages,
-- tables that cross pages and their rows as sentences.

alter table document_revisions
    add column eps_forecasts jsonb not null default '[]',
    -- field name -> boxes it was read from: {"rating": [{"page", "bbox"}]}
    add column metadata_places jsonb not null default '{}';

alter table pages
    -- mean confidence of the characters, where they were read from the page's image
    add column ocr_confidence double precision check (ocr_confidence between 0 and 1),
    -- [{"reason", "detail"}]: what went less than well
    add column flags jsonb not null default '[]';

alter table html_tables
    -- its parts, one a page: [{"page", "bbox"}]
    add column places jsonb not null default '[]',
    -- [{"column", "period"}]
    add column periods jsonb not null default '[]',
    -- rows as sentences that stand alone: [{"text", "first_row", "last_row", "place"}]
    add column statements jsonb not null default '[]';
