import { mask } from '../rules/mask.ts'
import { eatDate } from '../rules/time.ts'
import { components } from './after-loan/component.ts'
import type { Kind } from './fields.ts'
import { languageCodes } from './language.ts'

/** Choices that are the same for the same seed and place. */
export type Dice = {
  /** Whole, both ends included. */
  int: (min: number, max: number) => number
  pick: <T>(list: readonly T[]) => T
  chance: (of: number) => boolean
}

/** The place of a value: its field, where it stands in its list, and dice for itself and for its record. */
export type Place = { name: string; index: number; own: Dice; record: Dice; now: Date }

const hash = (text: string) => {
  let h = 2166136261
  for (const letter of text) h = Math.imul(h ^ letter.charCodeAt(0), 16777619)
  return h >>> 0
}

/** Dice with a seed: the same place always rolls the same values, so that mocks and pictures do not change between runs. */
export const dice = (place: string): Dice => {
  let state = hash(place)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return { int, pick: list => list[int(0, list.length - 1)] as (typeof list)[number], chance: of => next() < of }
}

const given = [
  'Sarah',
  'Moses',
  'Grace',
  'Isaac',
  'Prossy',
  'Ronald',
  'Esther',
  'Godfrey',
  'Brenda',
  'Hassan',
  'Ruth',
  'Denis',
]
const family = [
  'Nakato',
  'Okello',
  'Namutebi',
  'Mugisha',
  'Akello',
  'Tumusiime',
  'Nabirye',
  'Ssempala',
  'Auma',
  'Wasswa',
]
const merchants = ['Boda Cash', 'Market Loan', 'School Fees Plus', 'Shamba Credit', 'Duka Advance']
const products = ['Boda 14', 'Boda 30', 'Market 7', 'Market 3×10', 'Fees 90']
const districts = ['Kampala', 'Wakiso', 'Mukono', 'Jinja', 'Mbarara', 'Gulu', 'Mbale', 'Masaka']
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const digits = (d: Dice, n: number) => Array.from({ length: n }, () => d.int(0, 9)).join('')
const hex = (d: Dice, n: number) => Array.from({ length: n }, () => d.pick([...'0123456789abcdef'])).join('')
const person = (d: Dice) => `${d.pick(given)} ${d.pick(family)}`
const phone = (d: Dice) => `256${d.pick(['77', '78', '75', '70'])}${digits(d, 7)}`
const idNumber = (d: Dice) =>
  `C${d.pick(['M', 'F'])}${digits(d, 8)}${Array.from({ length: 4 }, () => d.pick([...letters])).join('')}`
const minute = 60_000
const day = 1440 * minute
const ago = (now: Date, ms: number) => new Date(now.getTime() - ms).toISOString()

const prefixes: Record<string, string> = {
  orderNo: 'LO',
  orderNos: 'LO',
  loanCode: 'LC',
  loanCodes: 'LC',
  flowNo: 'RF',
  billNo: 'BI',
  repaymentNo: 'RP',
  auditTaskNo: 'AT',
  auditRecordNo: 'AR',
  approvalNo: 'AP',
  pendingApproval: 'AP',
  contactNo: 'CT',
  customerNo: 'CU',
  followNo: 'FW',
  confirmNo: 'CF',
  uploadNo: 'UP',
  attachNo: 'AC',
  announcementNo: 'AN',
}
const numbered = (prefix: string, { own, now }: Place) =>
  `${prefix}${eatDate(now).slice(2).replaceAll('-', '')}${Array.from({ length: 8 }, () => own.pick([...letters])).join('')}`

/** Parts of a record's life, from its first moment (1) to now (0). */
const life: Record<string, number> = {
  registerTime: 1,
  createdTime: 1,
  applyTime: 1,
  at: 0.9,
  machineTime: 0.98,
  entryTime: 0.9,
  allotTime: 0.9,
  openTime: 0.7,
  submitTime: 0.5,
  auditTime: 0.5,
  requestTime: 0.48,
  sentTime: 0.47,
  answerTime: 0.46,
  payoutTime: 0.4,
  finishTime: 0.3,
  repaymentTime: 0.2,
  settledTime: 0.1,
}
const later = /until|expire|nextDue|dueDate|nextQuery/i
const time = ({ name, record, own, now }: Place) =>
  later.test(name)
    ? ago(now, -own.int(120, 3 * 1440) * minute)
    : ago(now, Math.round(record.int(300, 4 * 1440) * (life[name] ?? own.int(1, 9) / 10)) * minute)

const date = ({ name, own, now }: Place) =>
  name === 'birthDate'
    ? eatDate(ago(now, own.int(21 * 365, 55 * 365) * day))
    : eatDate(ago(now, (later.test(name) ? -own.int(1, 30) : own.int(0, 20)) * day))

const small =
  /outstandingInterest|outstandingFee|outstandingPenalty|lateFee|liquidated|penalty|interest|Fee|overflow|reduction|coupon|waived/i
const money = ({ name, own }: Place) =>
  /balance|waiting|approvedToday|approvalCap/.test(name)
    ? `${own.int(20, 900) * 100_000}.00`
    : small.test(name)
      ? `${own.int(0, 240) * 250}.00`
      : `${own.int(5, 90) * 10_000}.00`

/** Texts that a field's name asks for. */
const named: Record<string, (place: Place) => string> = {
  thirdOrderNo: ({ own }) => `${own.pick(['BC', 'ML', 'SF'])}-${digits(own, 10)}`,
  serialNo: ({ own }) => digits(own, 11),
  externalId: ({ own }) => `${digits(own, 8)}-${digits(own, 4)}-4${digits(own, 3)}`,
  paymentCode: ({ own }) => `7${digits(own, 9)}`,
  payCode: ({ own }) => `7${digits(own, 9)}`,
  userNo: ({ own }) => `U${digits(own, 5)}`,
  auditorNos: ({ own }) => `U${digits(own, 5)}`,
  merchantName: ({ own }) => own.pick(merchants),
  merchantNames: ({ index }) => merchants[index % merchants.length] as string,
  appName: ({ own }) => own.pick(merchants),
  appCodes: ({ index }) => merchants[index % merchants.length] as string,
  accountNumber: ({ own }) => phone(own),
  sendingTimes: () => '10:00, 15:00',
  lenderName: ({ own }) => own.pick(['Nile Credit Uganda', 'Lakeside Capital']),
  contactValue: ({ own }) => own.pick([phone(own), `0800${digits(own, 6)}`, `help${digits(own, 2)}@example.com`]),
  productName: ({ own }) => own.pick(products),
  languageCode: ({ index }) => ['zh', 'en', 'sw', 'vi', 'fr', 'lg'][index % 6] as string,
  languageName: ({ index }) =>
    ['中文', 'English', 'Kiswahili', 'Tiếng Việt', 'Français', 'Luganda'][index % 6] as string,
  roleName: ({ index }) =>
    ['Administrator', 'Audit lead', 'Auditor', 'Collector', 'Finance maker', 'Finance checker', 'Risk', 'Operations'][
      index % 8
    ] as string,
  holderName: ({ record }) => person(record),
  cardholderName: ({ record }) => person(record),
  payerName: ({ record }) => person(record),
  targetNames: ({ own }) =>
    `${own.pick(['MTN payout', 'Airtel payout', 'Stanbic payout'])} ${own.pick(['30%', '50%', '70%'])}`,
  usableNames: ({ own }) => own.pick(['MTN payout', 'Airtel payout']),
  routeName: ({ own }) => own.pick(['MTN wallets', 'Airtel wallets', 'Banks', 'Large first loans']),
  accountName: ({ own }) => `${own.pick(['MTN MoMo', 'Airtel Money', 'Stanbic'])} ${own.int(1, 3)}`,
  bankName: ({ own }) => own.pick(['Stanbic Bank', 'Centenary Bank', 'DFCU Bank']),
  bankCardNo: ({ own }) => digits(own, 13),
  employerName: ({ own }) => own.pick(['Owino Market', 'Jinja Road Stage', 'Mulago Hospital', 'St. Mary’s School']),
  addressText: ({ own }) => `Plot ${own.int(1, 90)}, ${own.pick(['Nakawa', 'Ntinda', 'Kawempe', 'Makindye'])} Road`,
  district: ({ own }) => own.pick(districts),
  deptName: ({ own }) => own.pick(['Audit', 'Payments', 'After-loan']),
  refuseCode: ({ own }) => `R${own.int(101, 130)}`,
  refuseReason: ({ own }) => own.pick(['Income cannot be shown', 'Documents do not match']),
  failReason: () => 'The payee’s wallet is barred',
  reason: () => 'Asked for by the customer',
  remark: ({ own }) => own.pick(['Called, all confirmed', 'Documents are in order', 'Wallet holder checked']),
  followRemark: () => 'Confirmed name and amount',
  event: ({ own }) => own.pick(['allot', 'audit.pass', 'code.create']),
  component: ({ own }) => own.pick(components.values),
  accountCode: place =>
    `${place.own.pick(['principal', 'interest_rcv', 'fee_rcv', 'penalty_rcv'])}:${numbered('LO', place)}`,
  postingCode: ({ own }) => own.pick(['P1a', 'P2b', 'P3']),
  cause: () => 'payout.success',
  approvalAction: () => 'payout.cancelPaid',
  objectType: () => 'order',
  ip: ({ own }) => `41.210.${own.int(1, 250)}.${own.int(1, 250)}`,
  lastLoginIp: ({ own }) => `41.210.${own.int(1, 250)}.${own.int(1, 250)}`,
  deviceId: ({ own }) => digits(own, 15),
  deviceModel: ({ own }) => own.pick(['Tecno Spark 20', 'Infinix Hot 40', 'Samsung A15']),
  osVersion: ({ own }) => `Android ${own.int(10, 15)}`,
  language: ({ own }) => own.pick(languageCodes.values),
  dataSource: () => 'API',
  incomingChannel: ({ own }) => own.pick(['App', 'Agent', 'USSD']),
  promotionChannel: ({ own }) => own.pick(['Radio', 'Facebook', 'Referral']),
  lendingChannel: ({ own }) => own.pick(['MTN MoMo', 'Airtel Money']),
  questionZh: ({ index }) => questions[index % questions.length]?.[0] as string,
  questionLocal: ({ index }) => questions[index % questions.length]?.[1] as string,
  optionZh: ({ index }) => ['经营', '学费', '医疗'][index % 3] as string,
  displayValue: ({ own }) => `25********${digits(own, 2)}`,
  nameListName: ({ index }) => ['FRAUD_PHONE', 'STAFF_RELATED', 'SHARED_WALLET', 'TRUSTED'][index % 4] as string,
  optionLocal: ({ index }) => ['Business', 'School fees', 'Medical'][index % 3] as string,
  answer: () => 'Business',
  answerZh: () => '经营',
  customerText: () => 'We cannot offer a loan at this time.',
  value: ({ index, own }) => `M${digits(own, 3)}${index}`,
  label: ({ index }) => merchants[index % merchants.length] as string,
  menuName: ({ own }) => own.pick(['Audit', 'After-loan', 'Home']),
  externalUrl: () => 'https://crm.example/start',
  perms: () => '/AdminContent/Home',
  route: () => '/AdminContent/Home',
  left: ({ record }) => person(record),
  right: ({ record }) => person(record),
  audience: ({ index }) => ['Auditor', 'Review floor', 'Boda Cash'][index % 3] as string,
  oldPassword: () => 'Nile-river-2025',
  newPassword: () => 'Lake-Victoria-2026',
  confirmPassword: () => 'Lake-Victoria-2026',
  password: () => 'Nile-river-2025',
  fileName: ({ index }) => ['national-id.jpg', 'payslip.pdf', 'statement.pdf'][index % 3] as string,
  fileType: ({ index }) => (index % 3 ? 'application/pdf' : 'image/jpeg'),
  sha256: ({ own }) => hex(own, 64),
  linkCode: ({ own }) => hex(own, 32),
}

const questions = [
  ['借款用途是什么？', 'What is the loan for?'],
  ['每月收入多少？', 'What do you earn a month?'],
  ['与联系人是什么关系？', 'Who is the contact to you?'],
  ['在现住址住了多久？', 'How long have you lived there?'],
  ['是否有其他贷款？', 'Do you have other loans?'],
] as const
const contact = /phone|wallet|payerAccount/i
const byKind: Partial<Record<Kind, (place: Place) => string | number | boolean>> = {
  money,
  time,
  date,
  rate: ({ own }) => `0.${own.int(1, 9)}`,
  flag: ({ own }) => own.chance(0.3),
  phone: ({ own }) => phone(own),
  walletAccount: ({ own }) => phone(own),
  idNumber: ({ own }) => idNumber(own),
  bankCardNo: ({ own }) => digits(own, 13),
  customerName: ({ record }) => person(record),
  contactName: ({ own }) => person(own),
  user: ({ name, own }) => (/No(s)?$/.test(name) ? `U${digits(own, 5)}` : person(own)),
  json: ({ index }) => JSON.stringify({ limit: index + 1 }),
  merchant: ({ index }) => `M00${(index % 5) + 1}`,
  product: ({ index }) => `P00${(index % 5) + 1}`,
  fundAccount: ({ index }) => `FA00${(index % 3) + 1}`,
  key: place => numbered(prefixes[place.name] ?? 'K', place),
  longText: ({ own }) => own.pick(['Called, all confirmed', 'Documents are in order']),
  richText: () => '<p>Rates change on <strong>Monday</strong>.</p>',
}

/** A text for a field, by its name where that says more than its kind. */
export const textFor = (place: Place, kind: Kind | undefined, format: string | undefined, masked: boolean): string => {
  if (format === 'datetime') return time(place)
  if (format === 'date') return date(place)
  if (format === 'email') return `${place.record.pick(given).toLowerCase()}${place.own.int(1, 99)}@example.com`
  const full = String(
    place.name in prefixes
      ? numbered(prefixes[place.name] as string, place)
      : kind === 'money' || (contact.test(place.name) && kind)
        ? (byKind[kind]?.(place) ?? '')
        : (named[place.name] ?? (kind && byKind[kind]) ?? fallback)(place),
  )
  return masked ? mask(full) : full
}
const fallback = (place: Place) =>
  /Name$/.test(place.name)
    ? person(place.own)
    : /(No|Id|Token|Key|^token|Ref)$/.test(place.name)
      ? numbered('N', place)
      : place.own.pick(['In order', 'As agreed', 'Checked'])

const spans: Record<string, readonly [number, number]> = {
  version: [1, 9],
  term: [7, 90],
  installmentNo: [1, 4],
  installmentCount: [1, 4],
  auditStep: [1, 2],
  auditStepCount: [2, 2],
  overdueDays: [0, 9],
  level: [1, 2],
  age: [21, 55],
  payday: [1, 28],
  childrenCount: [0, 4],
  modelScore: [480, 790],
  seconds: [60, 900],
  averageSeconds: [120, 480],
  handleSeconds: [60, 900],
  journalNo: [1000, 9000],
  auditNo: [1000, 9000],
  queueCap: [20, 40],
  size: [2_048, 900_000],
  fileSize: [2_048, 900_000],
  chunks: [0, 0],
  chunkNo: [0, 0],
  chunkCount: [1, 1],
  width: [600, 4_000],
  height: [400, 3_000],
}

/** A small whole number for a field. */
export const numberFor = ({ name, own }: Place, min: number, max: number): number => {
  const [low, high] = spans[name] ?? (/minutes/i.test(name) ? [3, 240] : [0, 12])
  return Math.min(max, Math.max(min, own.int(low, high)))
}
