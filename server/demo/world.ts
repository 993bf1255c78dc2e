import { sql } from 'kysely'
import { autoWriteOffs } from '../../core/contract/after-loan/auto-write-off.ts'
import { fundAccounts as ownAccounts } from '../../core/contract/after-loan/fund-account.ts'
import { defaultAllocation, Terms } from '../../core/rules/loan/terms.ts'
import type { Machine } from '../../core/rules/machines/machine.ts'
import type { Tx } from '../db/database.ts'
import { json } from '../db/json.ts'
import { account, post } from '../money/ledger.ts'
import { system } from '../rights/actor.ts'
import { create, transition } from '../states/transition.ts'
import { installChannels } from '../systems/after-loan/payout/index.ts'
import { writeProductVersions } from '../systems/operation/product/seed.ts'
import { writeLegalCaps } from '../systems/risk/legal-cap/seed.ts'
import { writeBasePlans } from '../systems/risk/plan/seed.ts'
import { writeBaseModel } from '../systems/risk/risk-model/seed.ts'
import { writeBaseRules } from '../systems/risk/rule-set/seed.ts'
import { writeQuestions } from './configs/questions.ts'
import { writeRuleSets } from './risk/rule-sets.ts'

/** The lender of the demo: its companies, merchants, products, accounts and the words that reviews need. */
export const merchants = [
  { merchantNo: 'M1', merchantName: 'Boda Cash', appName: 'BodaCash', orgNo: 'O1', secret: 'demo-secret-boda-cash' },
  {
    merchantNo: 'M2',
    merchantName: 'Market Loan',
    appName: 'MarketLoan',
    orgNo: 'O1',
    secret: 'demo-secret-market-loan',
  },
  { merchantNo: 'M3', merchantName: 'Shamba Advance', appName: 'Shamba', orgNo: 'O2', secret: 'demo-secret-shamba' },
] as const

const shared = {
  allocation: defaultAllocation,
  rounding: { unit: '0.01', mode: 'half_up' },
  earlySettlement: 'full',
  lateFee: { ratePerDay: '1', capRate: '40' },
  liquidatedDamages: { afterDays: 10, basis: 'rate', value: '5' },
  graceDays: 0,
  manualReview: true,
} as const

const short = (o: { days: number; min: string; max: string; steps?: 1 | 2; auto?: boolean }): Terms =>
  Terms.parse({
    ...shared,
    track: 'case',
    termDays: o.days,
    installmentCount: 1,
    minAmount: o.min,
    maxAmount: o.max,
    amountStep: '10000.00',
    interest: { method: 'flat', ratePerDay: '0.08' },
    serviceFee: { basis: 'rate', value: '10', taken: 'upfront' },
    managementFee: { basis: 'amount', value: '2000.00', taken: 'spread' },
    extension: { feeRate: '10', days: 7, max: 2 },
    auditStepCount: o.steps ?? 1,
    manualReview: !o.auto,
  })

const spread = Terms.parse({
  ...shared,
  track: 'stage',
  termDays: 56,
  installmentCount: 4,
  minAmount: '200000.00',
  maxAmount: '1500000.00',
  amountStep: '50000.00',
  interest: { method: 'declining', ratePerDay: '0.08' },
  serviceFee: { basis: 'rate', value: '8', taken: 'upfront' },
  managementFee: { basis: 'rate', value: '2', taken: 'spread' },
  extension: { feeRate: '8', days: 7, max: 1 },
  auditStepCount: 2,
})

export const products = [
  {
    productNo: 'P1',
    productName: 'Boda Quick 14',
    merchantNo: 'M1',
    terms: short({ days: 14, min: '50000.00', max: '500000.00' }),
  },
  {
    productNo: 'P2',
    productName: 'Stall Stock 7',
    merchantNo: 'M2',
    terms: short({ days: 7, min: '50000.00', max: '300000.00', auto: true }),
  },
  { productNo: 'P3', productName: 'Market Grow 56', merchantNo: 'M2', terms: spread },
  {
    productNo: 'P4',
    productName: 'Shamba Season 30',
    merchantNo: 'M3',
    terms: short({ days: 30, min: '100000.00', max: '800000.00' }),
  },
] as const

/** Number, name, the one above, organization, kind, place among its neighbours. */
const depts = [
  ['D0', 'Head office', null, 'O0', 'headquarters', 1],
  ['D1', 'Review floor', 'D0', 'O0', 'headquarters', 1],
  ['D11', 'Review team 1', 'D1', 'O0', 'headquarters', 1],
  ['D12', 'Review team 2', 'D1', 'O0', 'headquarters', 2],
  ['D2', 'Finance', 'D0', 'O0', 'headquarters', 2],
  ['D3', 'Collection', 'D0', 'O0', 'headquarters', 3],
  ['D31', 'Early-stage collection', 'D3', 'O0', 'headquarters', 1],
  ['D32', 'Later-stage collection', 'D3', 'O0', 'headquarters', 2],
  ['D33', 'Kampala Recoveries', 'D3', 'O1', 'outsourced', 3],
  ['D4', 'Customer service', 'D0', 'O0', 'headquarters', 4],
  ['D5', 'Telemarketing', 'D0', 'O0', 'headquarters', 5],
  ['D6', 'Boda Cash Kampala', 'D0', 'O1', 'merchant', 6],
  ['D7', 'Risk', 'D0', 'O0', 'headquarters', 7],
  ['D8', 'Operations', 'D0', 'O0', 'support', 8],
  ['D9', 'Quality', 'D0', 'O0', 'support', 9],
  ['D10', 'Training', 'D0', 'O0', 'support', 10],
] as const

const refuseLevels = [
  ['R1', '身份问题', 'Identity', 'Utambulisho'],
  ['R2', '收入不足', 'Income', 'Kipato'],
  ['R3', '信用记录', 'Credit history', 'Historia ya mikopo'],
  ['R4', '欺诈嫌疑', 'Suspected fraud', 'Shaka ya udanganyifu'],
] as const
const refuseCodes = [
  [
    'R101',
    'R1',
    '证件与本人不符',
    'ID does not match the person',
    'Kitambulisho hakilingani na mtu',
    'We could not confirm your identity.',
    true,
    30,
  ],
  [
    'R102',
    'R1',
    '资料不清晰',
    'Documents unreadable',
    'Nyaraka hazisomeki',
    'Please apply again with clear pictures.',
    false,
    7,
  ],
  [
    'R201',
    'R2',
    '收入无法支撑还款',
    'Income does not carry the loan',
    'Kipato hakitoshi kulipa mkopo',
    'The loan is too high for your income.',
    false,
    30,
  ],
  [
    'R301',
    'R3',
    '在其他机构逾期',
    'Overdue with another lender',
    'Amechelewa kulipa kwingine',
    'You have unpaid loans elsewhere.',
    false,
    60,
  ],
  [
    'R302',
    'R3',
    '历史逾期严重',
    'Badly overdue before',
    'Alichelewa sana hapo awali',
    'Your repayment history does not allow a loan now.',
    false,
    90,
  ],
  [
    'R401',
    'R4',
    '疑似中介代办',
    'Application made by a broker',
    'Ombi limefanywa na dalali',
    'We cannot offer you a loan.',
    true,
    180,
  ],
] as const
export const fundAccounts = [
  ['FA1', 'MTN payout', 'payout', 'mtn_momo', '256770000001', '600000000.00'],
  ['FA2', 'MTN collection', 'collection', 'mtn_momo', '256770000002', '0.00'],
  ['FA3', 'Airtel payout', 'both', 'airtel_money', '256750000001', '60000000.00'],
  ['FA4', 'Airtime float', 'payout', 'airtime', '256770000004', '50000000.00'],
] as const

/** Makes an item and puts it in force. */
const begin = async (tx: Tx, m: Machine, values: Record<string, unknown>) => {
  const key = m.key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  await create(tx, m, values, { event: 'item.create' }, system('opening'))
  const made = { [key]: values[key], enabled: 'disabled', version: 0 }
  await transition(tx, m, made, { event: 'item.enable' }, system('opening'))
}

const writeMerchants = async (tx: Tx): Promise<void> => {
  for (const m of merchants) {
    await tx.exec(
      sql`insert into merchant (merchant_no, merchant_name, app_name, org_no) values (${m.merchantNo}, ${m.merchantName}, ${m.appName}, ${m.orgNo})`,
    )
    await tx.exec(
      sql`insert into merchant_credential (api_key_id, merchant_no, secret, created_time) values (${`K-${m.merchantNo}`}, ${m.merchantNo}, ${m.secret}, ${tx.now})`,
    )
  }
}

/** Writes everything that is there before the first application arrives. */
export const writeWorld = async (tx: Tx): Promise<void> => {
  await writeLegalCaps(tx)
  await writeBaseModel(tx)
  await writeBaseRules(tx)
  await writeRuleSets(tx)
  await tx.exec(sql`insert into company values ('C1', 'Nile Credit Uganda')`)
  await tx.exec(
    sql`insert into org values ('O0', 'Nile Credit', null, 'C1'), ('O1', 'Kampala', 'O0', 'C1'), ('O2', 'Gulu', 'O0', 'C1')`,
  )
  for (const [deptNo, deptName, parent, orgNo, nature, sort] of depts)
    await tx.exec(sql`
      insert into dept (dept_no, dept_name, parent_dept_no, org_no, dept_nature, sort, updated_by, updated_time)
      values (${deptNo}, ${deptName}, ${parent}, ${orgNo}, ${nature}, ${sort}, 'system', ${tx.now})`)
  await writeMerchants(tx)
  for (const p of products)
    await tx.exec(
      sql`insert into product (product_no, product_name, merchant_no, terms, created_time, updated_time) values (${p.productNo}, ${p.productName}, ${p.merchantNo}, ${json(p.terms)}, ${tx.now}, ${tx.now})`,
    )
  await writeProductVersions(tx)
  await writeBasePlans(tx)
  await installChannels(tx)
  const limits = { shortfallLimit: '500.00', principalLimit: '200.00', overflowLimit: '50000.00' }
  await begin(tx, autoWriteOffs.machine, { configNo: 'W1', ...limits, createdTime: tx.now, updatedTime: tx.now })
  await writeQuestions(tx)
  for (const [code, zh, en, sw] of refuseLevels)
    await tx.exec(
      sql`insert into refuse_code (refuse_code, level, name_zh, name_en, name_sw) values (${code}, 1, ${zh}, ${en}, ${sw})`,
    )
  for (const [code, parent, zh, en, sw, customerText, needRemark, coolingDays] of refuseCodes)
    await tx.exec(
      sql`insert into refuse_code values (${code}, 2, ${parent}, ${zh}, ${en}, ${sw}, ${customerText}, ${needRemark}, ${coolingDays}, true)`,
    )
  for (const [no, name, role, channel, number, opening] of fundAccounts) {
    const values = {
      fundAccountNo: no,
      accountName: name,
      accountRole: role,
      lenderName: 'Nile Credit Uganda',
      channel,
      accountNumber: number,
      minBalance: '5000000.00',
      merchantNos: merchants.map(m => m.merchantNo),
      openingBalance: opening,
      createdTime: tx.now,
      updatedTime: tx.now,
    }
    await begin(tx, ownAccounts.machine, values)
    const lines = [
      { account: account.bank(no), amount: opening },
      { account: account.ownerFunds('Nile Credit Uganda'), amount: `-${opening}` },
    ]
    if (opening !== '0.00')
      await post(tx, { code: 'P0', cause: `fund_account:${no}`, keys: {}, lines }, system('opening'))
  }
}
