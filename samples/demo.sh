#!/bin/sh
# What `make demo` shows: the samples ingested, questions answered with page and quote, the
# week's communities and chains, names resolved, and what the graph holds of a company.
# Run from the checkout with `finrag` on the PATH and FINRAG_HOME set.
set -eu

show() {
    printf '\n$ finrag %s\n' "$(for word in "$@"; do case $word in *\ *|*？*|*\?*) printf '"%s" ' "$word";; *) printf '%s ' "$word";; esac; done)"
    finrag "$@"
}

# whose names are whose: the invented companies of the samples
FINRAG_REGISTRY=samples/registry.csv
export FINRAG_REGISTRY

show ingest samples/pdfs
show ask "星河新材的目标价是多少，评级为什么下调？"
show ask "栖岭证券为什么不推荐锂衡资源？"
show ask "What share of cathode does Chengguang buy from Xinghe?"
show rebuild
show ask "储能产业链有哪些关键公司？上下游关系是什么？"
show reports list
show resolve 蓝桥磷化 储芯一哥 "Chengguang Power Systems"
show entities show 澄光储能

cat <<END

This store lives in $FINRAG_HOME.

Next:
  FINRAG_HOME=$FINRAG_HOME FINRAG_INBOX=samples/pdfs FINRAG_REGISTRY=samples/registry.csv make dev
      opens the Dagster UI on this store: http://127.0.0.1:3000
  .venv/bin/finrag ingest YOUR_FOLDER
  .venv/bin/finrag ask "YOUR QUESTION"
      the same with your own PDFs, in a store of their own (~/.finrag)
END
