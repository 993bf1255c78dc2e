type Names = readonly [zh: string, en: string, sw: string]
/** What a node of the demo is, and what it says. */
export type NodeText = {
  code: string
  event: string
  kind: 'service' | 'reminder' | 'collection'
  names: Names
  texts: Names
  /** E-mail comes second. */
  mail?: true
}

const code = (scene: string, names: Names): NodeText => ({
  ...{
    code: `code.${scene.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    event: `code.${scene}`,
    kind: 'service',
    names,
  },
  texts: [
    '{brand}：验证码{code}，{life}分钟内有效，请勿告诉他人。',
    '{brand}: your code is {code}, good for {life} minutes. Give it to nobody.',
    '{brand}: msimbo wako ni {code}, wa dakika {life}. Usimpe mtu yeyote.',
  ],
})

/** The nodes of the demo, in the order of a customer's life. */
export const nodeTexts: readonly NodeText[] = [
  code('register', ['注册验证码', 'Code to register', 'Msimbo wa kujisajili']),
  code('login', ['登录验证码', 'Code to sign in', 'Msimbo wa kuingia']),
  code('reset_password', ['重置密码验证码', 'Code for a new password', 'Msimbo wa nenosiri jipya']),
  code('bind_account', ['绑卡验证码', 'Code to bind an account', 'Msimbo wa kuunganisha akaunti']),
  code('withdraw', ['提现验证码', 'Code for a withdrawal', 'Msimbo wa kutoa fedha']),
  {
    ...{ code: 'order.submitted', event: 'order.submitted', kind: 'service', mail: true },
    names: ['进件提交', 'Application received', 'Ombi limepokelewa'],
    texts: [
      '{customerName}，我们已收到您的申请{orderNo}，审核后会通知您。{brand}',
      'Dear {customerName}, we have your application {orderNo} and will inform you of our decision. {brand}',
      'Ndugu {customerName}, tumepokea ombi lako {orderNo}. Tutakujulisha uamuzi wetu. {brand}',
    ],
  },
  {
    ...{ code: 'order.approved', event: 'order.approved', kind: 'service', mail: true },
    names: ['审核通过', 'Loan approved', 'Mkopo umeidhinishwa'],
    texts: [
      '{customerName}，您的借款{loanAmount}已通过审核，款项将尽快到账。{brand}',
      'Good news {customerName}: your loan of {loanAmount} is approved. The money is on its way. {brand}',
      'Habari njema {customerName}: mkopo wako wa {loanAmount} umeidhinishwa. Fedha zinakuja. {brand}',
    ],
  },
  {
    ...{ code: 'order.refused', event: 'order.refused', kind: 'service' },
    names: ['审核拒绝', 'Loan refused', 'Mkopo umekataliwa'],
    texts: [
      '{customerName}，很抱歉，您的申请{orderNo}未通过。如有疑问请致电{hotline}。{brand}',
      'Dear {customerName}, we are sorry: we cannot approve application {orderNo}. Questions? Call {hotline}. {brand}',
      'Ndugu {customerName}, samahani: hatuwezi kuidhinisha ombi {orderNo}. Maswali? Piga {hotline}. {brand}',
    ],
  },
  {
    ...{ code: 'order.machineRefused', event: 'order.machineRefused', kind: 'service' },
    names: ['机审拒绝', 'Refused by machine review', 'Umekataliwa na mfumo'],
    texts: [
      '{customerName}，很抱歉，您的申请{orderNo}暂未通过，请一个月后再试。{brand}',
      'Dear {customerName}, we cannot lend to you on application {orderNo} now. Please try again in a month. {brand}',
      'Ndugu {customerName}, kwa sasa hatuwezi kukubali ombi {orderNo}. Jaribu tena baada ya mwezi. {brand}',
    ],
  },
  {
    ...{ code: 'payout.success', event: 'payout.success', kind: 'service', mail: true },
    names: ['放款成功', 'Loan paid out', 'Mkopo umetolewa'],
    texts: [
      '{brand}：{amountReceived}已到账，首期还款日{dueDate}，应还总额{totalDue}，还款码{payCode}。',
      '{brand}: {amountReceived} was sent to you. Repay {totalDue}, first on {dueDate}, with code {payCode}.',
      '{brand}: umetumiwa {amountReceived}. Lipa {totalDue}, kuanzia {dueDate}, kwa msimbo {payCode}.',
    ],
  },
  {
    ...{ code: 'payout.failed', event: 'payout.failed', kind: 'service' },
    names: ['放款失败', 'Payout failed', 'Kutoa mkopo kumeshindikana'],
    texts: [
      '{customerName}，款项未能到账，我们正在处理，无需重复申请。客服{hotline}。{brand}',
      '{customerName}, the money did not reach you yet. We are on it; no need to apply again. Call {hotline}. {brand}',
      '{customerName}, fedha bado hazijakufikia. Tunashughulikia; usiombe tena. Piga {hotline}. {brand}',
    ],
  },
  {
    ...{ code: 'bill.dueIn2', event: 'bill.dueIn2', kind: 'reminder' },
    names: ['两天后到期', 'Due in 2 days', 'Siku 2 kabla ya kulipa'],
    texts: [
      '{customerName}，{amountDue}将于{dueDate}到期，还款码{payCode}。{brand}',
      '{customerName}, {amountDue} is due on {dueDate}. Pay with code {payCode}. Thank you, {brand}',
      '{customerName}, {amountDue} inatakiwa {dueDate}. Lipa kwa msimbo {payCode}. Asante, {brand}',
    ],
  },
  {
    ...{ code: 'bill.dueToday', event: 'bill.dueToday', kind: 'reminder' },
    names: ['今日到期', 'Due today', 'Siku ya kulipa leo'],
    texts: [
      '{customerName}，今天应还{amountDue}，还款码{payCode}。{brand}',
      '{customerName}, {amountDue} is due today. Pay with code {payCode}. {brand}',
      '{customerName}, {amountDue} inatakiwa leo. Lipa kwa msimbo {payCode}. {brand}',
    ],
  },
  {
    ...{ code: 'bill.overdue', event: 'bill.overdue', kind: 'collection' },
    names: ['已逾期', 'Overdue', 'Imechelewa kulipwa'],
    texts: [
      '{brand}：{amountDue}已逾期{daysOverdue}天，请尽快还款，还款码{payCode}。如有困难请致电{hotline}。',
      '{brand}: {amountDue} is {daysOverdue} day(s) late. Please pay with code {payCode}. In difficulty? Call {hotline}.',
      '{brand}: {amountDue} imechelewa siku {daysOverdue}. Tafadhali lipa kwa msimbo {payCode}. Una shida? Piga {hotline}.',
    ],
  },
  {
    ...{ code: 'repay.received', event: 'repay.received', kind: 'service' },
    names: ['收到还款', 'Repayment received', 'Malipo yamepokelewa'],
    texts: [
      '{brand}：已收到{amountPaid}，剩余{outstanding}。谢谢！',
      '{brand}: we received {amountPaid}. Still to pay: {outstanding}. Thank you!',
      '{brand}: tumepokea {amountPaid}. Kilichobaki: {outstanding}. Asante!',
    ],
  },
  {
    ...{ code: 'repay.settled', event: 'repay.settled', kind: 'service' },
    names: ['已结清', 'Loan settled', 'Mkopo umemalizika'],
    texts: [
      '{brand}：已收到{amountPaid}，订单{orderNo}已结清。感谢{customerName}！',
      '{brand}: we received {amountPaid}. Loan {orderNo} is settled. Thank you, {customerName}!',
      '{brand}: tumepokea {amountPaid}. Mkopo {orderNo} umemalizika. Asante, {customerName}!',
    ],
  },
  {
    ...{ code: 'refund.success', event: 'refund.success', kind: 'service' },
    names: ['退款成功', 'Refund paid', 'Fedha zimerudishwa'],
    texts: [
      '{brand}：多还的{refundAmount}已退还给您。',
      '{brand}: {refundAmount} that you paid too much was sent back to you.',
      '{brand}: {refundAmount} uliyolipa zaidi imerudishwa kwako.',
    ],
  },
  {
    ...{ code: 'coupon.issued', event: 'coupon.issued', kind: 'service' },
    names: ['发放优惠券', 'Coupon given', 'Kuponi imetolewa'],
    texts: [
      '{brand}：{customerName}，您获得一张优惠券“{couponName}”，价值{couponAmount}，请在应用中查看。',
      '{brand}: {customerName}, you have a coupon, {couponName}, worth {couponAmount}. See it in the app.',
      '{brand}: {customerName}, umepata kuponi {couponName} yenye thamani ya {couponAmount}. Iangalie kwenye programu.',
    ],
  },
  {
    ...{ code: 'quota.offered', event: 'quota.offered', kind: 'service' },
    names: ['提供临时额度', 'Temporary limit offered', 'Kikomo cha muda kimetolewa'],
    texts: [
      '{brand}：{customerName}，我们为您提供临时额度{quotaAmount}，有效期至{quotaUntil}。请在应用中确认是否需要。',
      '{brand}: {customerName}, we offer you a higher limit of {quotaAmount} until {quotaUntil}. Say in the app whether you want it.',
      '{brand}: {customerName}, tunakupa kikomo cha juu cha {quotaAmount} hadi {quotaUntil}. Sema kwenye programu kama unakitaka.',
    ],
  },
  {
    ...{ code: 'payLink.sent', event: 'payLink.sent', kind: 'reminder' },
    names: ['还款链接', 'Payment link', 'Kiungo cha malipo'],
    texts: [
      '{brand}：请于{linkUntil}前通过{payLink}支付{linkAmount}。如有疑问请致电{hotline}。',
      '{brand}: pay {linkAmount} at {payLink} by {linkUntil}. Questions? Call {hotline}.',
      '{brand}: lipa {linkAmount} kupitia {payLink} kabla ya {linkUntil}. Maswali? Piga {hotline}.',
    ],
  },
  {
    ...{ code: 'service.manual', event: 'manual', kind: 'service' },
    names: ['客服手动发送', 'Sent by service staff', 'Hutumwa na huduma'],
    texts: [
      '{customerName}，感谢来电。如需帮助请致电{hotline}。{brand}',
      '{customerName}, thank you for your call. Need more help? Call {hotline}. {brand}',
      '{customerName}, asante kwa kupiga simu. Unahitaji msaada? Piga {hotline}. {brand}',
    ],
  },
]
