import type { BaseType } from '../../../../core/contract/telemarketing/base-option.ts'

/** An option as an installation starts with it: code, words in zh, en and sw, and what else differs from most. */
export type Default = readonly [
  code: string,
  zh: string,
  en: string,
  sw: string,
  more?: {
    parentCode?: string
    system?: true
    callable?: boolean
    terminalEffect?: 'abandon' | 'blacklist'
    retryDelayMinutes?: number
    maxAttempts?: number
    needApproval?: boolean
    targetEditable?: boolean
    internal?: boolean
    fits?: readonly string[]
  },
]

const again = (retryDelayMinutes: number, maxAttempts: number) => ({ callable: true, retryDelayMinutes, maxAttempts })
const ends = { callable: false, terminalEffect: 'abandon' } as const
const own = { internal: true, system: true } as const
const about = (parentCode: string) => ({ parentCode })

/** Options that an installation starts with, in their order. */
export const defaultOptions: Readonly<Record<BaseType, readonly Default[]>> = {
  LIST_TYPE: [
    ['external_import', '外部导入', 'External list', 'Orodha ya nje', { targetEditable: true, internal: false }],
    ['registered_not_applied', '注册未进件', 'Registered, not applied', 'Amejisajili, hajaomba', own],
    ['approved_not_withdrawn', '通过未提现', 'Approved, not taken', 'Ameidhinishwa, hajachukua', own],
    ['settled_not_renewed', '结清未续贷', 'Settled, not renewed', 'Amemaliza, hajakopa tena', own],
    ['rejected_retry', '拒绝再营销', 'Rejected, try again', 'Alikataliwa, jaribu tena', own],
    ['robot_intent', '机器人意向', 'Interest from robot', 'Nia kutoka roboti', { ...own, targetEditable: true }],
    ['not_logged', '未登录', 'Not logged in', 'Hajaingia', own],
  ],
  MARKETING_TARGET: [
    ['register', '促注册', 'Register', 'Kujisajili', { fits: ['2'] }],
    ['authorize', '促授权', 'Authorise', 'Kutoa idhini', { fits: ['4'] }],
    ['apply', '促进件', 'Apply', 'Kuomba mkopo', { fits: ['0', '3'] }],
    ['withdraw', '促提现', 'Take the loan', 'Kuchukua mkopo', { fits: ['1'] }],
    ['renew', '促续贷', 'Borrow again', 'Kukopa tena', { fits: ['0'] }],
  ],
  FOLLOW_OPTION: [
    ['callback', '约定回拨', 'Call back', 'Apigiwe tena', again(1_440, 10)],
    ['no_answer', '无人接听', 'No answer', 'Hajapokea', { ...again(240, 5), system: true }],
    ['busy', '忙线', 'Busy', 'Namba inatumika', again(30, 5)],
    ['powered_off', '关机', 'Phone off', 'Simu imezimwa', again(480, 5)],
    ['interested', '有意向', 'Interested', 'Ana nia', again(1_440, 10)],
    ['applied', '已申请', 'Has applied', 'Ameomba', again(2_880, 3)],
    ['not_interested', '无意向', 'Not interested', 'Hana nia', { ...ends, needApproval: true }],
    ['ineligible', '不符合条件', 'Not eligible', 'Hastahili', { ...ends, needApproval: true }],
    ['wrong_number', '号码错误', 'Wrong person', 'Si mhusika', ends],
    ['invalid_number', '空号', 'No such number', 'Namba haipo', ends],
    [
      'do_not_call',
      '要求勿扰',
      'Asked not to be called',
      'Ameomba asipigiwe simu',
      { callable: false, terminalEffect: 'blacklist', system: true },
    ],
  ],
  ABANDON_REASON: [
    ['max_recycle', '超过回收次数', 'Recycled too often', 'Imerudishwa mara nyingi', { system: true }],
    ['not_interested', '无意向', 'Not interested', 'Hana nia'],
    ['ineligible', '不符合条件', 'Not eligible', 'Hastahili'],
    ['wrong_number', '号码错误', 'Wrong person', 'Si mhusika'],
    ['invalid_number', '空号', 'No such number', 'Namba haipo'],
    ['target_reached', '目标已达成', 'Target reached', 'Lengo limefikiwa', { system: true }],
  ],
  PAUSE_REASON: [
    ['short', '小休', 'Short break', 'Mapumziko mafupi'],
    ['meal', '用餐', 'Meal', 'Chakula'],
    ['prayer', '祷告', 'Prayer', 'Sala'],
    ['meeting', '会议', 'Meeting', 'Mkutano'],
    ['training', '培训', 'Training', 'Mafunzo'],
  ],
  INTENTION_LABEL: [
    ['A', '高意向', 'High interest', 'Nia kubwa'],
    ['B', '有意向', 'Some interest', 'Ana nia'],
    ['C', '待考虑', 'Undecided', 'Anafikiria'],
    ['D', '无意向', 'Not interested', 'Hana nia'],
    ['E', '要求勿扰', 'Asked not to be called', 'Ameomba asipigiwe simu', { system: true }],
    ['W', '非本人', 'Wrong person', 'Si mhusika'],
    ['N', '未表态', 'Gave no answer', 'Hakujibu'],
    ['F', '未接通', 'Not reached', 'Hajapatikana', { system: true }],
  ],
  CS_SUBTYPE: [
    ['not_credited', '未到账', 'Payment not credited', 'Malipo hayajaonekana', about('repayment')],
    ['wrong_amount', '金额有误', 'Wrong amount', 'Kiasi si sahihi', about('repayment')],
    ['how_to_pay', '如何还款', 'How to pay', 'Jinsi ya kulipa', about('repayment')],
    ['refund', '退款', 'Refund', 'Kurejeshewa pesa', about('repayment')],
    ['not_received', '未收到放款', 'Loan not received', 'Mkopo haujafika', about('loan')],
    ['refused', '被拒原因', 'Why refused', 'Sababu ya kukataliwa', about('loan')],
    ['extension', '展期', 'Extension', 'Kuongeza muda', about('loan')],
    ['cannot_login', '无法登录', 'Cannot log in', 'Hawezi kuingia', about('account')],
    ['change_phone', '更换手机号', 'Change of number', 'Kubadilisha namba', about('account')],
    ['close', '注销', 'Close account', 'Kufunga akaunti', about('account')],
    ['collector', '催收行为', 'Conduct of a collector', 'Mwenendo wa mkusanyaji', about('complaint')],
    ['call_too_often', '来电过多', 'Too many calls', 'Simu nyingi mno', about('complaint')],
    ['contacted_third_party', '联系第三方', 'Relatives contacted', 'Ndugu wamepigiwa', about('complaint')],
    ['staff', '员工态度', 'Conduct of staff', 'Mwenendo wa mfanyakazi', about('complaint')],
    ['app', '应用问题', 'App fault', 'Hitilafu ya programu', about('complaint')],
  ],
  NOT_LOGGED_REASON: [
    ['forgot_password', '忘记密码', 'Forgot the password', 'Amesahau nenosiri'],
    ['no_code', '收不到验证码', 'No code received', 'Hajapata msimbo'],
    ['new_phone', '换机', 'New handset', 'Amebadilisha simu'],
    ['no_data', '无流量', 'No data bundle', 'Hana bando'],
    ['no_need', '暂不需要', 'No need now', 'Hahitaji kwa sasa'],
    ['too_expensive', '费用高', 'Too expensive', 'Gharama kubwa'],
    ['trust', '不信任', 'Does not trust it', 'Haiamini'],
  ],
}
