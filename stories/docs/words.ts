import type { Language } from '../../core/i18n/language.ts'
import type { State } from '../states.ts'

type Words = {
  title: string
  what: string
  how: string
  toolbar: readonly (readonly [name: string, what: string])[]
  sections: readonly (readonly [name: string, what: string])[]
  screens: string
  screen: string
  purpose: string
  portal: (path: string, perm: string | null) => string
  picture: (screen: string) => string
  attributes: string
  shown: string
  states: Record<State, readonly [name: string, what: string]>
  calls: (n: number) => string
  call: readonly [call: string, permission: string, log: string]
}

/** What the pages of the workshop say around the elements, in the languages of its toolbar. */
export const docsWords: Record<Language, Words> = {
  zh: {
    title: '从这里开始',
    what: '这里是Mkopo控制台的组件工坊：每个页面都是一个自定义元素，可在门户中使用，也可嵌入合作方页面。所有数据均为模拟数据，可放心点击。',
    how: '如何查找',
    toolbar: [
      ['语言', '中文、英文、斯瓦希里语；页面说明随之切换'],
      ['主题与密度', '浅色或深色，标准或紧凑行高'],
      ['查看人', '查看全部信息的人员，或只能看到脱敏信息的人员'],
      ['网络', '正常、较慢或很慢的网络'],
    ],
    sections: [
      ['Embedding', '如何在合作方页面中嵌入：令牌、来源、事件、错误、内容安全策略'],
      ['各系统', '按菜单分组的页面，每页含用途、图片、属性和各种状态'],
      ['Parts', '按钮、表格、对话框等部件，属性可在“Controls”中调整'],
      ['Small elements', '复制、电话、加载和提示等小元素'],
    ],
    screens: '全部页面',
    screen: '页面',
    purpose: '用途',
    portal: (path, perm) => `门户地址：${path}${perm ? `，所需权限：${perm}` : ''}`,
    picture: screen => `“${screen}”页面的图片`,
    attributes: '属性、事件与方法',
    shown: '各种状态',
    states: {
      Default: ['正常', '所有请求均有返回。'],
      Empty: ['无数据', '列表为空，数量为零。'],
      Failing: ['服务器出错', '服务器返回HTTP 500和错误码50001。'],
      Offline: ['断网', '收不到任何返回。'],
      Forbidden: ['无权限', '调用者不能使用该页面：错误码40301。'],
      SignedOut: ['登录已失效', '令牌已失效：错误码-10。'],
    },
    calls: n => `接口与权限（${n}个）`,
    call: ['接口', '权限', '日志'],
  },
  en: {
    title: 'Start here',
    what: 'This is the workshop of the Mkopo console. Every screen is a custom element, used by the portal and by pages of partners alike. All data are simulated, so press whatever you like.',
    how: 'How to find things',
    toolbar: [
      ['Language', 'Chinese, English or Swahili; these pages follow it'],
      ['Theme and density', 'light or dark, normal or compact rows'],
      ['Who looks', 'somebody who sees everything, or somebody from whom names and numbers are hidden'],
      ['Network', 'fast, slow or very slow'],
    ],
    sections: [
      ['Embedding', 'how a partner page shows a screen: tokens, origins, events, errors, content security'],
      ['Systems', 'the screens as the menu groups them, each with its purpose, a picture, attributes and states'],
      ['Parts', 'buttons, tables, dialogs and more; “Controls” changes their properties'],
      ['Small elements', 'copy, phone, loading and toast'],
    ],
    screens: 'All screens',
    screen: 'Screen',
    purpose: 'What it is for',
    portal: (path, perm) => `In the portal at ${path}${perm ? `, for holders of ${perm}` : ''}`,
    picture: screen => `A picture of the screen “${screen}”`,
    attributes: 'Attributes, properties and events',
    shown: 'States',
    states: {
      Default: ['Default', 'Everything answers.'],
      Empty: ['Empty', 'Lists are empty, counts are zero.'],
      Failing: ['Failing', 'The server fails: HTTP 500 and code 50001.'],
      Offline: ['Offline', 'No answer arrives.'],
      Forbidden: ['Forbidden', 'The caller may not use the screen: code 40301.'],
      SignedOut: ['Signed out', 'The token is no longer good: code -10.'],
    },
    calls: n => `Calls and permissions (${n})`,
    call: ['Call', 'Permission', 'Logged as'],
  },
  sw: {
    title: 'Anzia hapa',
    what: 'Hii ni karakana ya konsoli ya Mkopo. Kila ukurasa ni elementi inayotumika kwenye lango na kwenye kurasa za washirika. Data zote ni za mfano, bonyeza chochote.',
    how: 'Jinsi ya kupata vitu',
    toolbar: [
      ['Lugha', 'Kichina, Kiingereza au Kiswahili; kurasa hizi hufuata lugha hiyo'],
      ['Mandhari na msongamano', 'mwanga au giza, mistari ya kawaida au finyu'],
      ['Anayetazama', 'anayeona yote, au anayefichwa majina na namba'],
      ['Mtandao', 'wa kasi, wa polepole au wa polepole sana'],
    ],
    sections: [
      [
        'Embedding',
        'jinsi ukurasa wa mshirika unavyoonyesha skrini: tokeni, asili, matukio, makosa, usalama wa maudhui',
      ],
      ['Mifumo', 'kurasa kama menyu inavyozipanga, kila moja na kazi yake, picha, sifa na hali zake'],
      ['Parts', 'vitufe, majedwali, madirisha na mengine; “Controls” hubadilisha sifa zake'],
      ['Small elements', 'nakala, simu, upakiaji na ujumbe mfupi'],
    ],
    screens: 'Kurasa zote',
    screen: 'Ukurasa',
    purpose: 'Kazi yake',
    portal: (path, perm) => `Kwenye lango: ${path}${perm ? `, kwa wenye ruhusa ${perm}` : ''}`,
    picture: screen => `Picha ya ukurasa “${screen}”`,
    attributes: 'Sifa na matukio',
    shown: 'Hali',
    states: {
      Default: ['Kawaida', 'Kila kitu kinajibu.'],
      Empty: ['Hakuna data', 'Orodha hazina kitu, idadi ni sifuri.'],
      Failing: ['Hitilafu ya seva', 'Seva inashindwa: HTTP 500 na msimbo 50001.'],
      Offline: ['Hakuna mtandao', 'Hakuna jibu linalofika.'],
      Forbidden: ['Hakuna ruhusa', 'Anayeita haruhusiwi kutumia ukurasa: msimbo 40301.'],
      SignedOut: ['Kipindi kimeisha', 'Tokeni si halali tena: msimbo -10.'],
    },
    calls: n => `Miito na ruhusa (${n})`,
    call: ['Mwito', 'Ruhusa', 'Kumbukumbu'],
  },
}

/** What each screen is for; English stands above the screen in its file. */
export const purposes: Record<Exclude<Language, 'en'>, Record<string, string>> = {
  zh: {
    'mkopo-portal-login': '员工登录，完成滑块、动态码和首次修改密码。',
    'mkopo-portal-home': '每天的起点：待办、公告和最近打开的页面。',
    'mkopo-order-order-detail': '查看一笔订单的全部信息，以及谁在何时做了什么。',
    'mkopo-order-order-audit': '审核员对照资料作出通过、拒绝或退回的决定。',
    'mkopo-audit-order-allocation': '审核主管把订单分给可接单的审核员，或收回订单，让队列不积压。',
    'mkopo-portal-warning-notify': '值班负责人和财务查看损失资金或阻碍工作的事项，认领处理并记录结果。',
    'mkopo-operation-announcement-management': '运营人员和组长向员工或应用用户发布公告，并查看谁已阅读。',
    'mkopo-audit-my-audit': '审核员自己的队列，等待最久的排在最前，并显示今日完成情况。',
    'mkopo-audit-order-management': '审核和运营主管查找任意订单，了解进度，并可在放款前取消。',
    'mkopo-audit-order-management-abridgment': '客服、商户员工和管理层查看订单进度，不显示任何隐私信息。',
    'mkopo-audit-machine-review-retrieval': '风控和审核主管让选定的拒单重新由人审核，并可将其原样还原。',
    'mkopo-audit-reject-order-review-config': '审核主管设置哪些拒单可申请复审，以及每人每日可申请的次数。',
    'mkopo-audit-reject-order-review': '资深审核员和客服在每日次数内为被拒订单申请复审，并跟进结果。',
    'mkopo-audit-audit-personnel': '审核主管决定谁审哪些商户的订单、审多少、何时在岗，并查看每人近况。',
    'mkopo-audit-audit-configuration': '审核主管编写审核员须作答的问卷（个人审核记录），并查看答案分布。',
    'mkopo-after-loan-loan-management': '放款人员确认放款已发出，处理未知和失败的放款，绝不重复放款。',
    'mkopo-marketing-unrenewed-loan-sms-config': '营销人员一次设定哪些还清后未续贷的客户在哪天收到哪条短信。',
    'mkopo-marketing-sms-marketing-task':
      '营销人员在允许时段、频次和预算内向众多客户发送短信，跟踪送达并查看带来的借款。',
    'mkopo-marketing-sms-marketing-template': '营销人员用英文和斯瓦希里语撰写营销短信，由另一人复核后启用。',
    'mkopo-operation-message-template-configuration':
      '运营和催收组长用三种语言编写各业务节点发给客户的内容，并预览长度和费用。',
    'mkopo-operation-sms-router-config': '运营工程师设定验证码和服务短信由哪家供应商发送，并在一家出问题时切换。',
    'mkopo-operation-marketing-sms-router-config': '运营工程师设定营销短信由哪家供应商在允许时段内发送。',
    'mkopo-operation-business-node': '运营工程师设定每个业务事件是否通知各应用的客户、走哪些渠道、按什么顺序。',
    'mkopo-operation-employee-phone-bill-recharge': '班组助理每月为催收员和电销员申请话费；财务由第二人审批后付款。',
    'mkopo-operation-sensitive-word-config':
      '合规人员维护敏感词，拦截员工和营销文本中的威胁、侮辱、羞辱和虚假表述，并查看命中记录。',
    'mkopo-user-role-management': '安全管理员设定各类人员可打开、可操作、可查看的内容，并能据此举证。',
    'mkopo-user-user-management': '管理员和组长录入人员、分配部门和角色，离职或异常时立即停用账号。',
    'mkopo-user-department-management': '管理员维护部门树，数据规则与分单均以此为准。',
    'mkopo-user-menu-management': '管理员设定控制台显示哪些菜单、顺序、名称、操作码和页面允许的数据范围。',
    'mkopo-user-multi-language-configuration': '运营人员设定向客户和员工提供哪些语言、按什么顺序排列以及默认语言。',
    'mkopo-user-data-dictionary': '运营人员维护各编码的文字和错误码提示，包括各语言译文。',
    'mkopo-telemarketing-base-type-option': '主管维护电销和客服表单的选项：名称、排序以及每项的后续处理。',
    'mkopo-supermarket-loan-supermarket-recommend-product-management':
      '市场和运营人员决定在哪个位置向哪些客户推荐哪个产品。',
    'mkopo-supermarket-review-data-maintain': '客服和运营人员查看客户评论、回复，并按规定原因隐藏违规内容。',
    'mkopo-supermarket-loan-supermarket-vip-level-management':
      '运营人员设定各会员等级的条件，并查看客户在各等级的分布。',
    'mkopo-operation-temporary-credit-limit-issuance':
      '运营人员为优质客户申请临时额度，由第二人审核；客户同意后生效，并跟踪使用情况。',
    'mkopo-operation-activities-configuration':
      '运营人员在固定预算内设置奖励活动并处理可疑奖励；涉及资金由第二人放行。',
    'mkopo-operation-coupon-code-management': '运营人员定义优惠券，批量或用优惠码发放并跟踪成本；由第二人放行。',
    'mkopo-operation-supermarket-platforms': '合作人员维护贷超平台：主体与牌照、允许跳转的域名、结算方式，并查看回传。',
    'mkopo-supermarket-loan-supermarket-product-management': '合作人员填写贷超产品，运营人员复核、定价、投放并上下架。',
    'mkopo-operation-verification-code-management':
      '运营和二线客服查看验证码是否送达，换路由重发，解除手机号限制，并设定发送限额。',
    'mkopo-operation-sensitive-info-config': '数据保护人员设定敏感信息的掩码、查看上限和原因要求，并复核查看记录。',
    'mkopo-operation-organization-merchant-management':
      '运营负责人开设公司、机构和商户，设定流量限制、提现条件和进件过滤，并启用、停用或停止进件。',
    'mkopo-operation-app-content-management':
      '运营人员维护各应用的横幅、弹窗、帮助文字和法律文本，并查看某位客户此刻看到的内容。',
    'mkopo-operation-app-versions-management': '发布负责人上传安装包，逐步扩大灰度，必要时强制更新或撤销发布。',
    'mkopo-operation-message-center-app-management':
      '运营工程师登记各应用及其渠道和静默时段，维护供应商账户和密钥，并查看、重发已发消息。',
    'mkopo-operation-traffic-personnel':
      '增长负责人决定员工和地推人员各管哪些渠道和商户，并查看每人带来的注册、进件和放款。',
    'mkopo-operation-launch-management':
      '投放人员开设推广渠道，设定上限和链接，录入成本，查看每一笔花费带来多少注册、放款和首期还款。',
    'mkopo-operation-customer-service-hotline-management':
      '运营人员维护各应用的客服电话、WhatsApp、邮箱和投诉渠道，以及显示顺序和服务时间。',
    'mkopo-risk-rule-set':
      '风控分析员编写规则、按订单试算并提交新版本；风控负责人放行；两者都可查看每笔订单为何这样决定。',
    'mkopo-risk-list-management': '风控人员维护黑名单、灰名单和白名单，查询客户为何在名单上，以及名单命中了哪些申请。',
    'mkopo-risk-risk-control-model':
      '建模人员上传评分卡或接入外部评分，测试后提交角色，并监控其是否依然有效；风控负责人移动切分点。',
    'mkopo-risk-risk-pricing-configuration':
      '定价人员按产品和风险等级设定金额、额度增长和价格，并即时看到法定上限的结论；合规人员维护法定上限。',
    'mkopo-merchant-artificial-blacklist-library':
      '风控和反欺诈人员凭证据人工拉黑客户、号码、银行卡、钱包或设备，对单个或全部商户生效。',
    'mkopo-merchant-order-acquire-management':
      '商户运营人员设定商户从各渠道接收多少、哪些订单，并向合作方说明订单为何被拒收。',
    'mkopo-merchant-contact-blacklist':
      '合规和客服人员登记不得再联系的号码，查询号码为何被停止联系，以及拦截了哪些联系。',
    'mkopo-telemarketing-tele-marketing-black-list':
      '电销主管维护电销、营销机器人和营销短信不得联系的号码，并核对号码能否拨打。',
    'mkopo-operation-merchant-loan-amount-management':
      '财务和运营负责人设定各商户每日可放款的额度，查看已用、在途和等待的订单，并随时暂停或恢复放款。',
    'mkopo-operation-product-config':
      '产品经理设定单期产品的金额、期限和价格；每个版本由第二人审批后生效，未结订单不变。',
    'mkopo-operation-product-config-new':
      '产品经理设定分期产品的金额、期数和价格；每个版本由第二人审批后生效，未结订单不变。',
    'mkopo-merchant-consumption-type-config':
      '平台财务决定向商户收取哪些服务费、单价、生效日和单个商户的例外价格；新价格由第二人批准。',
    'mkopo-merchant-consumption-record': '平台财务按日核对商户消费并退回多收部分；商户可逐条查对账单。',
    'mkopo-merchant-recharge-record': '财务把商户的银行付款录入其钱包，由另一人凭银行流水确认。',
    'mkopo-merchant-merchant-config-management':
      '商户运营和接入支持配置商户合同、密钥、回调和支付展示，并随时看到其余额是否足够。',
    'mkopo-merchant-maturity-config-management':
      '产品和催收人员设定到期日顺延、提醒计划和可展期天数，并维护节假日日历。',
    'mkopo-after-loan-automatic-loan-cancel-config': '财务主管设定无法放款的已批订单等待多久后自动取消。',
    'mkopo-after-loan-auto-settlement-config':
      '财务主管设定每日自动减免的小额尾款，以及是否先用溢缴款还款，并查看每晚结果。',
    'mkopo-after-loan-auto-write-off-amount-config':
      '财务主管设定到账与应还金额相差多少仍可自动核销或小额结清，变更须由另一人批准。',
    'mkopo-after-loan-balance-management':
      '出纳每天早上录入付款公司和银行显示的余额，立即看到与账面是否一致、今天的放款是否够付。',
    'mkopo-after-loan-loaner-management': '财务主管维护放款账户：适用商户、最低余额和日限额，变更须由另一人批准。',
    'mkopo-after-loan-repayment-account-management': '财务人员维护收款账户，查看已到账但尚未核销的款项。',
    'mkopo-after-loan-loan-routing': '财务主管决定每笔放款走哪个账户，并在渠道异常时立即暂停。',
    'mkopo-after-loan-repayment-management': '还款人员把到账流水核销到订单，回答今日应还金额，并结清尾数。',
    'mkopo-after-loan-repayment-management-new':
      '还款人员按期查看分期产品的账单，把到账款项核销到订单，最早到期的账单优先。',
    'mkopo-after-loan-flow-record-supplement': '还款人员凭客户的付款凭证补录未到的流水，由另一人对照对账单复核后入账。',
    'mkopo-after-loan-reconciliation-management':
      '财务主管每天核对账面与渠道对账单是否一致，逐笔处理差异，并查看分录与试算平衡。',
    'mkopo-service-customer-service-coupon-config': '客服主管和财务设定客服可申请的优惠券、金额、张数和月预算。',
    'mkopo-service-customer-service-coupon-audit': '审核人决定客服提交的优惠券申请，并收回误发的优惠券。',
    'mkopo-service-my-customer-service-coupon-apply': '客服为来电客户申请优惠券，并跟进审核结果。',
    'mkopo-after-loan-wallet-records': '财务与客服查看客户获得的奖励，以及提现的去向。',
    'mkopo-charge-client-refund-management': '还款人员把客户多付的款项退还，出纳支付已通过的退款。',
    'mkopo-charge-client-refund-audit-management': '退款审核人确认款项确属客户、收款人无误。',
    'mkopo-charge-cash-transfer-apply-for': '出纳为放款账户补充资金、把收款归集到银行，并附上凭证。',
    'mkopo-charge-cash-transfer-audit': '财务负责人逐笔审核资金划转，由申请人以外的人员打款。',
  },
  sw: {
    'mkopo-portal-login':
      'Wafanyakazi huingia, pamoja na fumbo, msimbo wa kithibitishaji na kubadilisha nenosiri la awali.',
    'mkopo-portal-home': 'Mwanzo wa siku: kazi zinazosubiri, matangazo na kurasa za karibuni.',
    'mkopo-order-order-detail': 'Taarifa zote za ombi moja, na nani alifanya nini na lini.',
    'mkopo-order-order-audit': 'Mkaguzi hulinganisha taarifa na kuamua: kupitisha, kukataa au kurudisha.',
    'mkopo-audit-order-allocation':
      'Kiongozi wa wakaguzi huwapangia maombi wanaoweza kuyapokea, au huyarudisha, ili foleni isijae.',
    'mkopo-portal-warning-notify':
      'Viongozi wa zamu na fedha huona yanayogharimu pesa au kusimamisha kazi, huyachukua na kueleza matokeo.',
    'mkopo-operation-announcement-management':
      'Uendeshaji na viongozi wa timu huwatangazia wafanyakazi au watumiaji wa programu jambo, na huona nani amelisoma.',
    'mkopo-audit-my-audit': 'Foleni ya mkaguzi mwenyewe, ya zamani kwanza, na yaliyokamilika leo.',
    'mkopo-audit-order-management':
      'Viongozi hutafuta ombi lolote, huona lilipofika, na wanaweza kulighairi kabla ya utoaji mkopo.',
    'mkopo-audit-order-management-abridgment':
      'Huduma kwa wateja, wafanyakazi wa chapa na viongozi huona ombi limefika wapi, bila taarifa yoyote ya faragha.',
    'mkopo-audit-machine-review-retrieval':
      'Viongozi wa hatari na ukaguzi huruhusu maombi yaliyokataliwa yaonwe na mtu, na huyarudisha yalipokuwa.',
    'mkopo-audit-reject-order-review-config':
      'Meneja wa ukaguzi husema maombi gani yaliyokataliwa yanaweza kuombwa tena, na mara ngapi kwa siku.',
    'mkopo-audit-reject-order-review':
      'Wakaguzi wakuu na huduma kwa wateja huomba ombi lililokataliwa likaguliwe tena, ndani ya idadi yao ya siku.',
    'mkopo-audit-audit-personnel':
      'Msimamizi wa ukaguzi huamua nani anakagua maombi ya chapa zipi, mangapi na lini, na kuona kazi ya kila mmoja.',
    'mkopo-audit-audit-configuration':
      'Kiongozi wa ukaguzi huandika maswali ambayo wakaguzi hujibu, na huona yalivyojibiwa.',
    'mkopo-after-loan-loan-management':
      'Maafisa wa utoaji mkopo huhakikisha mikopo imetumwa, hushughulikia isiyojulikana na iliyoshindikana, bila kulipa mara mbili.',
    'mkopo-marketing-unrenewed-loan-sms-config':
      'Maafisa wa masoko huweka mara moja ni wateja gani waliolipa na hawakukopa tena watapata SMS ipi siku ipi.',
    'mkopo-marketing-sms-marketing-task':
      'Maafisa wa masoko hutuma SMS kwa wateja wengi ndani ya saa, idadi na bajeti, hufuatilia zinavyofika na huona zilicholeta.',
    'mkopo-marketing-sms-marketing-template':
      'Maafisa wa masoko huandika SMS za matangazo kwa Kiingereza na Kiswahili, na mtu wa pili huziwasha.',
    'mkopo-operation-message-template-configuration':
      'Wafanyakazi wa uendeshaji na viongozi wa ukusanyaji huandika ujumbe wa kila tukio kwa lugha tatu, na huona urefu na gharama yake.',
    'mkopo-operation-sms-router-config':
      'Wahandisi wa uendeshaji huamua mtoa huduma gani anabeba misimbo na jumbe za huduma, na huhamisha jumbe mmoja akishindwa.',
    'mkopo-operation-marketing-sms-router-config':
      'Wahandisi wa uendeshaji huamua mtoa huduma gani anabeba matangazo, ndani ya saa zinazoruhusiwa.',
    'mkopo-operation-business-node':
      'Wahandisi wa uendeshaji huamua kama wateja wa programu wanaarifiwa kuhusu kila tukio, kwa njia zipi na kwa mpangilio upi.',
    'mkopo-operation-employee-phone-bill-recharge':
      'Wasaidizi wa timu huomba muda wa maongezi wa wafanyakazi kila mwezi; mtu wa pili wa fedha huidhinisha na kulipa.',
    'mkopo-operation-sensitive-word-config':
      'Wafanyakazi wa uzingatiaji huzuia vitisho, matusi, kuaibisha na madai ya uongo katika maandishi ya wafanyakazi na ya masoko.',
    'mkopo-user-role-management':
      'Msimamizi wa usalama huamua kila aina ya mfanyakazi anaweza kufungua, kufanya na kuona nini, na anaweza kuthibitisha.',
    'mkopo-user-user-management':
      'Wasimamizi na viongozi wa timu huingiza watu, huwapa idara na majukumu, na husitisha akaunti mara moja inapohitajika.',
    'mkopo-user-department-management': 'Wasimamizi hutunza mti wa idara ambao kanuni za data na ugawaji hutegemea.',
    'mkopo-user-menu-management':
      'Wasimamizi huamua menyu inaonyesha nini, kwa mpangilio na majina gani, na kanuni za data za kila ukurasa.',
    'mkopo-user-multi-language-configuration':
      'Wafanyakazi wa uendeshaji huamua lugha zinazotolewa kwa wateja na wafanyakazi, mpangilio wake na ya kawaida.',
    'mkopo-user-data-dictionary':
      'Wafanyakazi wa uendeshaji hutunza maneno ya kila msimbo na ujumbe wa hitilafu katika kila lugha.',
    'mkopo-telemarketing-base-type-option':
      'Wasimamizi hutunza chaguo za fomu za mauzo kwa simu na huduma kwa wateja: majina, mpangilio na matokeo yake.',
    'mkopo-supermarket-loan-supermarket-recommend-product-management':
      'Masoko na uendeshaji wanaamua ni bidhaa ipi iwekwe mbele ya wateja wapi, na mahali gani.',
    'mkopo-supermarket-review-data-maintain':
      'Huduma na uendeshaji wanasoma maoni ya wateja kuhusu bidhaa, wanayajibu, na kuficha yanayovunja kanuni.',
    'mkopo-supermarket-loan-supermarket-vip-level-management':
      'Wafanyakazi wa uendeshaji wanaweka masharti ya kila kiwango cha uanachama na kuona wateja wako wapi.',
    'mkopo-operation-temporary-credit-limit-issuance':
      'Wafanyakazi wa uendeshaji huwaombea wateja wazuri kikomo cha juu cha muda; mtu wa pili huamua, mteja hukubali, na matumizi hufuatiliwa.',
    'mkopo-operation-activities-configuration':
      'Wafanyakazi wa uendeshaji huweka kampeni za zawadi ndani ya bajeti maalum na kuamua kuhusu zawadi za mashaka; panapotolewa fedha, mtu wa pili huidhinisha.',
    'mkopo-operation-coupon-code-management':
      'Wafanyakazi wa uendeshaji huunda kuponi, huzitoa kwa wateja au kwa msimbo na kufuatilia gharama; mtu wa pili huruhusu.',
    'mkopo-operation-supermarket-platforms':
      'Wasimamizi wa ushirikiano wanatunza wakopeshaji wa soko la mikopo: ni nani, viungo vinaweza kwenda wapi, na wanalipa nini.',
    'mkopo-supermarket-loan-supermarket-product-management':
      'Msimamizi wa ushirikiano anaeleza bidhaa ya mshirika; mwenzake wa uendeshaji anaikagua, anaiweka mahali pake na kuionyesha.',
    'mkopo-operation-verification-code-management':
      'Wafanyakazi wa uendeshaji na huduma huona kama misimbo inafika, huituma kwa njia nyingine, na huweka vikomo.',
    'mkopo-operation-sensitive-info-config':
      'Afisa wa ulinzi wa data huamua jinsi taarifa nyeti zinavyolindwa, na hukagua nani alizionyesha.',
    'mkopo-operation-organization-merchant-management':
      'Mkuu wa uendeshaji hufungua kampuni, taasisi na chapa, na huamua kila chapa ipokee wateja gani.',
    'mkopo-operation-app-content-management':
      'Wafanyakazi wa uendeshaji hutunza mabango, madirisha, maelezo ya msaada na maandiko ya kisheria ya kila programu.',
    'mkopo-operation-app-versions-management':
      'Msimamizi wa matoleo hupakia vifurushi vya programu, huvitoa hatua kwa hatua, na hulazimisha sasisho inapobidi.',
    'mkopo-operation-message-center-app-management':
      'Mhandisi wa uendeshaji huandikisha programu na njia zake, hutunza akaunti za watoa huduma, na huona ujumbe uliotumwa.',
    'mkopo-operation-traffic-personnel':
      'Msimamizi wa ukuaji huamua nani anashughulikia njia na chapa zipi, na huona usajili, maombi na mikopo ya kila mmoja.',
    'mkopo-operation-launch-management':
      'Wanunuzi wa matangazo hufungua njia za matangazo, huweka vikomo na gharama, na huona kila shilingi imeleta nini.',
    'mkopo-operation-customer-service-hotline-management':
      'Wafanyakazi wa uendeshaji hutunza simu, WhatsApp, barua pepe na njia za malalamiko za kila programu.',
    'mkopo-risk-rule-set':
      'Wachambuzi wa hatari huandika kanuni, huzijaribu kwa ombi na kuwasilisha matoleo mapya; mkuu wa hatari huyaidhinisha; wote huona kwa nini ombi liliamuliwa hivyo.',
    'mkopo-risk-list-management':
      'Wafanyakazi wa hatari hutunza orodha nyeusi, za tahadhari na nyeupe, na huangalia kwa nini mteja yuko kwenye orodha.',
    'mkopo-risk-risk-control-model':
      'Wachambuzi wa modeli huleta matoleo ya alama, huyajaribu na kufuatilia kama bado yanafaa; mkuu wa hatari husogeza mipaka ya alama.',
    'mkopo-risk-risk-pricing-configuration':
      'Wapanga bei huweka kiasi, ukuaji wa kikomo na bei kwa kila kiwango cha hatari, na huona papo hapo kama sheria inaruhusu; maafisa wa uzingatiaji hutunza viwango vya juu vya kisheria.',
    'mkopo-merchant-artificial-blacklist-library':
      'Wafanyakazi wa hatari huzuia kwa mkono mtu, namba, kadi, pochi au kifaa, kwa ushahidi: kwa chapa moja au zote.',
    'mkopo-merchant-order-acquire-management':
      'Wafanyakazi wa washirika huweka maombi mangapi na yapi yapokelewe kutoka kila njia, na hueleza kwa nini ombi lilikataliwa.',
    'mkopo-merchant-contact-blacklist':
      'Maafisa wa uzingatiaji na huduma huweka namba zisizoruhusiwa kuwasiliana nazo na huona kilichozuiwa.',
    'mkopo-telemarketing-tele-marketing-black-list':
      'Wasimamizi wa mauzo hutunza namba ambazo simu, roboti na SMS za mauzo hazitafikia.',
    'mkopo-operation-merchant-loan-amount-management':
      'Wakuu wa fedha na uendeshaji huamua kila chapa itoe kiasi gani kwa siku, na husimamisha au kuendeleza utoaji.',
    'mkopo-operation-product-config':
      'Wasimamizi wa bidhaa huweka kiasi, muda na bei ya mikopo ya bili moja; mtu wa pili huidhinisha kila toleo.',
    'mkopo-operation-product-config-new':
      'Wasimamizi wa bidhaa huweka kiasi, awamu na bei ya mikopo ya awamu; mtu wa pili huidhinisha kila toleo.',
    'mkopo-merchant-consumption-type-config':
      'Fedha wa jukwaa huamua huduma zipi wafanyabiashara wanatozwa, kwa bei gani, kuanzia lini na nani ana bei yake; bei mpya hukubaliwa na mtu wa pili.',
    'mkopo-merchant-consumption-record':
      'Fedha wa jukwaa hutoza wafanyabiashara walichotumia na kurudisha kilichozidi; wafanyabiashara hukagua ankara hadi tukio moja.',
    'mkopo-merchant-recharge-record':
      'Fedha huingiza malipo ya benki ya mfanyabiashara kwenye pochi yake; mtu wa pili huthibitisha kwa mstari wa benki.',
    'mkopo-merchant-merchant-config-management':
      'Wasimamizi wa chapa huweka mikataba, funguo, taarifa na njia za malipo, na huona nani ana salio la kutosha.',
    'mkopo-merchant-maturity-config-management':
      'Wafanyakazi wa bidhaa na ukusanyaji huamua tarehe za kulipa, vikumbusho na kuongeza muda, na hutunza kalenda ya sikukuu.',
    'mkopo-after-loan-wallet-records':
      'Fedha na huduma kwa wateja huona zawadi za wateja na pesa walizotoa zilifika wapi.',
    'mkopo-charge-client-refund-management':
      'Maafisa wa marejesho huwarudishia wateja pesa walizolipa zaidi, na mtunza fedha hulipa zilizoidhinishwa.',
    'mkopo-charge-cash-transfer-apply-for':
      'Mtunza fedha hujaza akaunti za kulipia na kukusanya makusanyo benki, pamoja na nyaraka zake.',
    'mkopo-charge-cash-transfer-audit':
      'Viongozi wa fedha huidhinisha uhamisho mmoja mmoja, na mtu mwingine asiye mwombaji hulipa.',
    'mkopo-charge-client-refund-audit-management':
      'Mkaguzi wa marejesho huhakikisha pesa ni za mteja na mpokeaji ni sahihi.',
    'mkopo-after-loan-automatic-loan-cancel-config':
      'Kiongozi wa fedha huamua mkopo uliopitishwa lakini usiolipika husubiri saa ngapi kabla ya kughairiwa.',
    'mkopo-after-loan-auto-settlement-config':
      'Kiongozi wa fedha huamua masalio madogo yanayosamehewa kila siku na kama ziada ilipe kwanza, na huona matokeo ya kila usiku.',
    'mkopo-after-loan-auto-write-off-amount-config':
      'Kiongozi wa fedha huamua risiti inaweza kupungua kiasi gani na bado deni likamilike; mtu wa pili huidhinisha.',
    'mkopo-after-loan-balance-management':
      'Keshia huandika kila asubuhi salio ambalo kampuni za malipo na benki zinaonyesha, na kuona mara moja kama vitabu vinalingana na kama malipo ya leo yanatosha.',
    'mkopo-after-loan-loaner-management':
      'Kiongozi wa fedha hutunza akaunti zinazolipa mikopo: chapa, salio la chini na kikomo cha siku; mtu wa pili huidhinisha.',
    'mkopo-after-loan-repayment-account-management':
      'Wafanyakazi wa fedha hutunza akaunti zinazopokea marejesho na kuona fedha zilizoingia ambazo bado hazijaoanishwa.',
    'mkopo-after-loan-loan-routing':
      'Kiongozi wa fedha huamua kila mkopo hulipwa kutoka akaunti gani, na husimamisha njia inapokuwa na hitilafu.',
    'mkopo-after-loan-repayment-management':
      'Maafisa wa marejesho huoanisha miamala na maombi, hujibu kinachodaiwa leo, na humaliza masalio ya deni.',
    'mkopo-service-customer-service-coupon-config':
      'Mkuu wa huduma na fedha huamua kuponi gani mawakala wanaweza kuomba, kiasi, idadi na bajeti ya mwezi.',
    'mkopo-service-customer-service-coupon-audit':
      'Wahakiki huamua maombi ya kuponi ya mawakala na kurudisha zilizotolewa kimakosa.',
    'mkopo-service-my-customer-service-coupon-apply':
      'Mawakala huomba kuponi kwa mteja aliye kwenye simu na kufuatilia uamuzi.',
    'mkopo-after-loan-repayment-management-new':
      'Maafisa wa marejesho hufuata bili za mikopo ya awamu na kuoanisha miamala; bili ya zamani zaidi hulipwa kwanza.',
    'mkopo-after-loan-flow-record-supplement':
      'Maafisa wa marejesho huingiza malipo ambayo mteja ana ushahidi wake; mtu mwingine huyakagua kwa taarifa kabla ya kuhesabiwa.',
    'mkopo-after-loan-reconciliation-management':
      'Kiongozi wa fedha huthibitisha kila asubuhi kwamba leja na mitandao vinakubaliana, na hutatua tofauti moja moja.',
  },
}
