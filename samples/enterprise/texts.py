"""What the fictional business documents of TechFlow say: products, look-alikes, other wordings.

Each is a title and sections of paragraphs; how they become files is `make_enterprise`.
"""

from __future__ import annotations

from dataclasses import dataclass

Sections = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Text:
    """One document.

    Attributes:
        group: product, distractor (a product of nearly the same name) or synonym (a matter in
            other words).
    """

    file: str
    group: str
    title: str
    sections: Sections


PRODUCTS = (
    Text(
        "datastream_pro.docx",
        "product",
        "DataStream Pro 产品手册",
        (
            (
                "产品定位",
                (
                    "DataStream Pro 是 TechFlow 面向大型企业的实时数据流处理平台，端到端处理延迟低至10毫秒。",
                    "DataStream Pro 单集群每秒可处理50万条事件，支持多机房容灾。",
                ),
            ),
            (
                "适用行业",
                (
                    "DataStream Pro 适合金融、电商和物流行业，典型场景为实时风控、交易监控和订单调度。",
                    "对延迟要求在秒级以上的中小企业，建议选择 DataStream Lite。",
                ),
            ),
            (
                "价格",
                ("DataStream Pro 标准版价格为每年48万元，按集群节点数计费，含7×24小时支持。",),
            ),
            (
                "成功案例",
                (
                    "金融行业案例：北辰汇通证券使用 DataStream Pro 建设实时风控平台，风控响应时间由800毫秒降至12毫秒。",
                ),
            ),
            (
                "与竞品比较",
                (
                    "与竞品云澜数据的 StreamMax 相比，DataStream Pro 的优势是延迟更低：同等负载下延迟为10毫秒，StreamMax 为120毫秒。",
                    "与竞品云澜数据相比，DataStream Pro 的优势还包括内置合规审计，支持监管报送，从 StreamMax 迁移的周期约为4周。",
                ),
            ),
        ),
    ),
    Text(
        "datastream_lite.docx",
        "product",
        "DataStream Lite 产品手册",
        (
            (
                "产品定位",
                (
                    "DataStream Lite 是 TechFlow 面向中小制造企业的轻量数据采集与集成工具，可打通生产数据孤岛。",
                    "DataStream Lite 的处理延迟约为1秒，单机即可部署，两周内上线。",
                ),
            ),
            (
                "适用行业",
                ("DataStream Lite 适合智能制造和零售行业，典型场景为产线数据采集、库存同步。",),
            ),
            ("价格", ("DataStream Lite 价格为每年6万元，包含5个数据源。",)),
            (
                "成功案例",
                (
                    "制造行业案例：鼎盛科技使用 DataStream Lite 完成工厂数字化改造，生产效率提升35%。",
                ),
            ),
        ),
    ),
    Text(
        "datastream_enterprise.pptx",
        "product",
        "DataStream Enterprise 解决方案",
        (
            (
                "产品定位",
                (
                    "DataStream Enterprise 是 TechFlow 面向集团企业的数据中台，统一元数据、权限和血缘。",
                ),
            ),
            (
                "适用行业",
                (
                    "DataStream Enterprise 适合能源集团和医疗集团，典型场景为多子公司数据汇聚与数据合规。",
                ),
            ),
            ("价格", ("DataStream Enterprise 价格为每年120万元起，按子公司数量计费。",)),
        ),
    ),
    Text(
        "insightboard.pptx",
        "product",
        "InsightBoard 自助分析平台",
        (
            (
                "产品定位",
                ("InsightBoard 是 TechFlow 的自助分析看板，业务人员无需编程即可制作报表。",),
            ),
            (
                "适用行业",
                ("InsightBoard 适合电商、教育和食品零售行业，典型场景为经营分析和门店销售汇总。",),
            ),
            (
                "成功案例",
                ("电商行业案例：云杉优选使用 InsightBoard 后，报表制作时间由3天缩短至2小时。",),
            ),
        ),
    ),
    Text(
        "flowsync.pdf",
        "product",
        "FlowSync 数据同步工具",
        (
            (
                "产品定位",
                ("FlowSync 是 TechFlow 的跨系统数据同步工具，支持仓配系统之间的准实时对账。",),
            ),
            ("适用行业", ("FlowSync 适合物流和供应链行业，典型场景为多仓库存同步。",)),
            ("成功案例", ("物流行业案例：远帆供应链使用 FlowSync 后，库存对账差异率下降82%。",)),
        ),
    ),
    Text(
        "edgehub.pdf",
        "product",
        "EdgeHub 边缘网关",
        (
            (
                "产品定位",
                ("EdgeHub 是 TechFlow 的工业边缘网关，兼容46种设备协议，可降低设备故障率。",),
            ),
            (
                "适用行业",
                ("EdgeHub 适合汽车制造和能源行业，典型场景为老旧设备联网与设备故障预警。",),
            ),
            ("成功案例", ("汽车行业案例：海岳零部件使用 EdgeHub 后，设备停机时间减少28%。",)),
        ),
    ),
)
DISTRACTORS = (
    Text(
        "datastream_pro_2019.docx",
        "distractor",
        "DataStream Pro 2019 停售说明",
        (
            (
                "说明",
                ("DataStream Pro 2019 已于2021年停售，其处理延迟为90毫秒，仅支持单机房部署。",),
            ),
        ),
    ),
    Text(
        "datasteam_plus.docx",
        "distractor",
        "DataSteam Plus 产品简介",
        (
            (
                "产品定位",
                ("DataSteam Plus 是汽锅数据的蒸汽管网监测软件，与 TechFlow 无关，适合供热行业。",),
            ),
        ),
    ),
    Text(
        "streamdata_pro.pptx",
        "distractor",
        "StreamData Pro 产品介绍",
        (
            (
                "产品定位",
                (
                    "StreamData Pro 是云澜数据的离线批处理工具，处理周期为每日一次，价格为每年30万元。",
                ),
            ),
        ),
    ),
    Text(
        "datastream_mini.pptx",
        "distractor",
        "DataStream Mini 体验版说明",
        (
            (
                "说明",
                ("DataStream Mini 是 TechFlow 的免费体验版，限用14天，每秒最多处理100条事件。",),
            ),
        ),
    ),
    Text(
        "insightboard_kids.pdf",
        "distractor",
        "InsightBoard Kids 课堂版",
        (("产品定位", ("InsightBoard Kids 是面向中小学课堂的数据启蒙教具，价格为每套398元。",)),),
    ),
    Text(
        "edgehub_home.pdf",
        "distractor",
        "EdgeHub Home 家庭网关",
        (("产品定位", ("EdgeHub Home 是家庭智能网关，支持12种家电协议，价格为每台599元。",)),),
    ),
)
SYNONYMS = (
    Text(
        "saving_budget.docx",
        "synonym",
        "节省预算的数据方案",
        (
            (
                "方案",
                ("希望降低开支的客户可先从 DataStream Lite 起步，三年总投入比自建平台节省约60%。",),
            ),
        ),
    ),
    Text(
        "risk_interception.docx",
        "synonym",
        "毫秒级风险拦截方案",
        (
            (
                "方案",
                (
                    "交易欺诈需要在支付完成前拦截，DataStream Pro 的毫秒级流式计算可在10毫秒内给出拦截结论。",
                ),
            ),
        ),
    ),
    Text(
        "information_barriers.pptx",
        "synonym",
        "打破部门信息壁垒",
        (
            (
                "方案",
                (
                    "各部门系统互不相通时，DataStream Lite 可在两周内把订单、库存和设备信息汇到一处。",
                ),
            ),
        ),
    ),
    Text(
        "machine_health.pdf",
        "synonym",
        "机器健康预警方案",
        (
            (
                "方案",
                ("机器频繁停机的工厂可用 EdgeHub 采集振动与温度信号，提前72小时发出检修提醒。",),
            ),
        ),
    ),
)
TEXTS = (*PRODUCTS, *DISTRACTORS, *SYNONYMS)
