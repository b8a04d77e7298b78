"""Chinese family names, so that a job title or a sector is not read as a person's name."""

#: Family names of one character, common ones first. Not complete: after a role and a colon any
#: name counts. Left out are rare ones that are everyday words (全, 商, 信): they would make names
#: of sectors and titles.
FAMILIES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程"
    "魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙黎史陶贺毛郝顾龚"
    "邵万覃武钱戴严莫孔向常汤康易乔赖文施洪季樊殷翁颜倪温芦俞章鲁葛毕岳庄聂邢祝左齐安梅凌关焦"
    "包舒耿詹欧游路童盛柴霍申蓝辛管甘牛华尚翟卜班阳伍柯涂阮裴阎鲍单桂瞿窦骆冉费祁车柳纪房项解"
    "苗娄喻饶牟丘景池闻边宗席宁仇萧傅滕缪应艾褚储成屈蒙蒲邬冷燕敖卞卫明晏时臧佟米谷麦古岑危杭"
    "符蔺阚隋戚连巩糜冀郎幸简苟仲苑司麻原党胥扈羊宫栾沙楚晋褟衡鞠占匡帅迟巫郁展甄伏丛荣丰暴厉"
    "厚寇强权初昌平慕沃仝尧植富井段习都晁亓战官门见芮虞蒯谌宓计昝花苍满漆粟惠操揭曲邰郜谯郗佘"
    "逯逄乌隆刁蹇弓寿修湛茅兰练盖尉弋茹禹娜宿竺雍牧伊杞暨居皮卓栗嵇滑裘贝闵喜奚经农矫鄢鄂闪母"
    "仵迮么妥钮於鹿綦郏豆肇"
)
COMPOUND = (
    "欧阳|上官|司徒|诸葛|司马|皇甫|令狐|慕容|尉迟|公孙|夏侯|轩辕|宇文|长孙|司空|端木|南宫|独孤|拓跋"
)
