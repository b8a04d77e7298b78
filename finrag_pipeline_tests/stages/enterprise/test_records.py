"""Files of company records to documents: what each field becomes, and what is refused and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.records import Chunk, Place
from finrag_pipeline.records.enterprise import RecordDocument
from finrag_pipeline.stages.enterprise.checking import read_records
from finrag_pipeline.stages.enterprise.companies import Records
from finrag_pipeline.stages.enterprise.documents import documents_of
from finrag_pipeline.stages.enterprise.extraction import record_extractions
from finrag_pipeline.stages.enterprise.files import Placed, read_files

COMPANY: dict[str, object] = {
    "id": "c1",
    "name": "鼎盛科技有限公司",
    "industry": "智能制造",
    "employees": "500人",
    "ceo": "李明",
    "parent_company": "鼎盛集团",
    "investors": ["红杉资本", "IDG"],
    "past_projects": [
        {"year": 2023, "project": "改造", "partner": "TechFlow", "product": "DataStream Lite"}
    ],
    "pain_points": ["数据孤岛"],
}


def records(*objects: Any) -> Records:
    return read_records([Placed("f.json", f"[{n}]", each) for n, each in enumerate(objects)])


def documents(*objects: Any) -> dict[str, RecordDocument]:
    return {
        f"{each.company_id}/{each.part}": each for each in documents_of(records(*objects).companies)
    }


def printed(document: RecordDocument) -> list[str]:
    return [line.printed for line in document.lines]


def test_a_company_becomes_a_document_for_each_part() -> None:
    made = documents(COMPANY)
    assert list(made) == ["c1/profile", "c1/relations", "c1/project_2023_1", "c1/needs"]
    assert printed(made["c1/profile"]) == [
        "【企业名称】鼎盛科技有限公司。",
        "【行业】智能制造。",
        "【员工规模】500人。",
        "【CEO】李明。",
    ]
    assert printed(made["c1/project_2023_1"])[1] == (
        "【合作项目】2023年鼎盛科技有限公司与TechFlow合作完成改造项目，使用DataStream Lite。"
    )
    assert [each.kind for each in made.values()] == [
        *("company_profile", "company_relations", "project_history", "company_needs"),
    ]
    again = RecordDocument.from_json(made["c1/relations"].to_json())
    assert again == made["c1/relations"]


def test_relations_are_told_once_with_their_properties_and_stand_with_both_companies() -> None:
    other = {"id": "c2", "name": "海岳零部件股份有限公司", "aliases": ["海岳"]}
    made = documents(
        COMPANY,
        other,
        {
            "source": "红杉资本",
            "relation": "领投",
            "target": "鼎盛科技",
            "round": "B轮",
            "amount": "2亿元",
        },
        {"source": "鼎盛科技", "relation": "供应商", "target": "海岳", "year": "2024年"},
        {"source": "鼎盛科技", "relation": "供应商", "target": "海岳"},
    )
    assert printed(made["c1/relations"])[1:] == [
        "【母公司】鼎盛集团是鼎盛科技有限公司的母公司。",
        "【投资方】红杉资本投资鼎盛科技有限公司（B轮，金额2亿元）。",
        "【投资方】IDG投资鼎盛科技有限公司。",
        "【供应商】海岳零部件股份有限公司是鼎盛科技有限公司的供应商（2024年）。",
    ]
    supplied = made["c2/relations"].lines[1]
    assert supplied.printed == (
        "【客户】海岳零部件股份有限公司是鼎盛科技有限公司的供应商（2024年）。"
    )
    stated = [
        each for document in made.values() for line in document.lines for each in line.relations
    ]
    assert sum(each.relation == "supplies" for each in stated) == 1, "each edge is stated once"
    assert len(supplied.relations) == 1, "by the record of its head"


def test_no_projects_is_a_statement_and_silence_is_none() -> None:
    said = documents({"name": "星枢零售有限公司", "past_projects": []})
    assert "星枢零售有限公司未合作过" in printed(said["星枢零售/relations"])[-1]
    assert documents({"name": "星枢零售有限公司", "industry": "零售"}).keys() == {
        "星枢零售/profile"
    }


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"industry": "零售"}, "it has no name"),
        ({"name": "甲", "employees": "很多"}, "employees is '很多', which is no number of people"),
        ({"name": "甲", "founded_date": "去年"}, "founded_date is '去年': write 2015-03-15"),
        ({"name": "甲", "updated_on": "2025"}, "updated_on is '2025', which is no day"),
        ({"name": "甲", "id": "a b"}, "id is 'a b': use letters"),
        ({"name": "甲", "code": "茅台"}, "code is '茅台', which is no securities code"),
        ({"name": "甲", "past_projects": [{"year": 2023}]}, "a project has no name"),
        (
            {"source": "甲", "relation": "喜欢", "target": "鼎盛科技"},
            "relation '喜欢' is not known",
        ),
        (
            {"source": "甲", "relation": "投资", "target": "乙"},
            "neither '甲' nor '乙' is a company",
        ),
        ({"company": "乙", "project": "改造"}, "'乙' is no company of these files"),
        ({"id": "c1", "name": "又一家"}, "the id 'c1' is there already"),
    ],
)
def test_what_is_no_record_is_refused_with_its_reason(
    values: dict[str, object], reason: str
) -> None:
    found = records(COMPANY, values)
    (refused,) = found.refused
    assert (refused.file, refused.place) == ("f.json", "[1]")
    assert refused.reason.startswith(reason)
    assert [each.company_id for each in found.companies] == ["c1"], "the others are taken"


def test_json_lines_and_csv_say_the_same(tmp_path: Path) -> None:
    plain = {**COMPANY, "past_projects": None}
    project = {"company": "鼎盛科技", "year": 2023, "project": "改造", "partner": "TechFlow"}
    lines = "\n".join(json.dumps(each, ensure_ascii=False) for each in (plain, project))
    (tmp_path / "a.jsonl").write_text(lines, "utf-8")
    folder = tmp_path / "csv"
    folder.mkdir()
    (folder / "1.csv").write_text(
        "编号,企业名称,所属行业,员工人数,CEO,母公司,投资方,痛点,备注\n"
        "c1,鼎盛科技有限公司,智能制造,500,李明,鼎盛集团,红杉资本|IDG,数据孤岛,x\n",
        "utf-8-sig",
    )
    (folder / "2.csv").write_text("公司,年份,项目,合作方\n鼎盛科技,2023,改造,TechFlow\n", "utf-8")
    of_lines = read_records(read_files(tmp_path / "a.jsonl"))
    of_cells = read_records(read_files(folder))
    assert documents_of(of_cells.companies) == documents_of(of_lines.companies)
    assert of_cells.ignored == ("备注",) and of_lines.refused == ()


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.json", "{", "it is no JSON"),
        ("a.json", '{"firms": []}', "no list `companies` or `relations`"),
        ("a.jsonl", "{}\n{", "line 2 is no JSON"),
        ("a.xml", "<a/>", "no format of company records"),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error(
    tmp_path: Path, name: str, text: str, problem: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=problem):
        read_files(tmp_path / name)


def test_edges_and_names_are_stated_where_they_stand() -> None:
    made = documents(COMPANY)
    document = made["c1/profile"]
    content = "\n".join(printed(document))
    place = (Place(1, (0.0, 0.0, 0.0, 0.0)),)
    (found,) = record_extractions(document, [Chunk(0, content, place)])
    told = {
        (found.mentions[each.head].name, each.relation, found.mentions[each.tail].name)
        for each in found.relations
    }
    assert told == {
        ("李明", "works_for", "鼎盛科技有限公司"),
        ("鼎盛科技有限公司", "part_of", "智能制造"),
    }
    assert all(content[each.start : each.end] == each.text for each in found.mentions)
    assert [each.start for each in found.mentions] == sorted(each.start for each in found.mentions)
