import { contract } from '../../../core/contract/contract.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { ruleSets } from '../../../core/contract/risk/rule-set.ts'
import type { Rule, RuleSet } from '../../../core/rules/risk/rule.ts'
import type { Tx } from '../../db/database.ts'
import { rightsOfPerson } from '../../session/session.ts'
import { begin } from '../../systems/risk/risk-model/seed.ts'
import { ruleSetModule } from '../../systems/risk/rule-set/rule-set.ts'
import { at, handFor } from '../hand.ts'
import { userNoOf } from '../staff.ts'

type Words = (n: number) => readonly [zh: string, en: string, sw: string]
/** Rules of one thought at several borders: the first flags, the second is observed, the third is off, and so on. */
type Family = { no: string; at: readonly number[]; says: Words; asks: (n: number) => string; refuses?: string }

const early: readonly Family[] = [
  {
    no: 'APPLY24H',
    at: [2, 3, 5],
    says: n => [`24小时内申请${n}次以上`, `Over ${n} applications in 24 hours`, `Maombi zaidi ya ${n} kwa saa 24`],
    asks: n => `history.applyCount24h > ${n}`,
    refuses: 'MR_HISTORY',
  },
  {
    no: 'APPLY7D',
    at: [4, 6, 9],
    says: n => [`7天内申请${n}次以上`, `Over ${n} applications in 7 days`, `Maombi zaidi ya ${n} kwa siku 7`],
    asks: n => `history.applyCount7d > ${n}`,
  },
  {
    no: 'NIGHT',
    at: [3, 4, 5],
    says: n => [`凌晨${n}点前申请`, `Applied before ${n} in the morning`, `Ombi kabla ya saa ${n} usiku`],
    asks: n => `order.hour < ${n}`,
  },
  {
    no: 'SOON',
    at: [1, 2, 3],
    says: n => [`结清后${n}天内再借`, `Within ${n} days of the last loan`, `Ndani ya siku ${n} baada ya mkopo`],
    asks: n => `history.daysSinceSettled <= ${n}`,
  },
]
const fraud: readonly Family[] = [
  {
    no: 'WALLET',
    at: [0, 1, 2],
    says: n => [`钱包被${n}名以上他人使用`, `Wallet of over ${n} others`, `Pochi ya watu wengine zaidi ya ${n}`],
    asks: n => `wallet.sharedByCustomers > ${n}`,
    refuses: 'MR_SHARED_DEVICE',
  },
  {
    no: 'DEVICE',
    at: [0, 1, 2],
    says: n => [`设备被${n}人以上使用`, `Device of over ${n} others`, `Kifaa cha watu wengine zaidi ya ${n}`],
    asks: n => `device.accountCount > ${n}`,
    refuses: 'MR_SHARED_DEVICE',
  },
  {
    no: 'LATE.CONTACTS',
    at: [0, 1, 2],
    says: n => [`逾期联系人超过${n}人`, `Over ${n} late contacts`, `Watu wa mawasiliano wanaodaiwa: zaidi ya ${n}`],
    asks: n => `contacts.overdueCount > ${n}`,
  },
  {
    no: 'ROOTED.NEW',
    at: [7, 30, 90],
    says: n => [`注册不足${n}天且已Root`, `Rooted and under ${n} days here`, `Kifaa chenye root, chini ya siku ${n}`],
    asks: n => `device.rooted && customer.registeredDays < ${n}`,
  },
]
const credit: readonly Family[] = [
  {
    no: 'LATE',
    at: [3, 7, 15, 20],
    says: n => [`历史逾期超过${n}天`, `Over ${n} days late before`, `Aliwahi kuchelewa zaidi ya siku ${n}`],
    asks: n => `history.maxOverdueDays > ${n}`,
    refuses: 'MR_HISTORY',
  },
  {
    no: 'REFUSED',
    at: [1, 2, 3, 4],
    says: n => [
      `30天内被拒${n}次以上`,
      `Refused over ${n} times in 30 days`,
      `Amekataliwa zaidi ya mara ${n} kwa siku 30`,
    ],
    asks: n => `history.refusedCount30d > ${n}`,
  },
  {
    no: 'SCORE',
    at: [540, 560, 580],
    says: n => [`首贷评分低于${n}`, `First loan under ${n} points`, `Mkopo wa kwanza chini ya alama ${n}`],
    asks: n => `order.loanKind == "first" && model.score < ${n}`,
    refuses: 'MR_SCORE',
  },
]

/** Nothing that is new refuses or stops an order: it flags, is observed, or is off. */
const ruleOf = (family: Family, n: number, place: number): Rule => {
  const [ruleNameZh, ruleNameEn, ruleNameSw] = family.says(n)
  const ruleMode = (['enforce', 'shadow', 'off'] as const)[place % 3] ?? 'off'
  const isRefusing = ruleMode !== 'enforce' && family.refuses !== undefined
  return {
    ruleNo: `${family.no}.${n}`,
    ruleNameZh,
    ruleNameEn,
    ruleNameSw,
    expression: family.asks(n),
    ruleAction: isRefusing ? 'refuse' : ruleMode === 'enforce' ? 'flag' : 'review',
    ...(isRefusing ? { refuseCode: family.refuses } : {}),
    onMissing: 'skip',
    ruleMode,
  }
}
const set = (no: string, ruleSetName: string, stage: RuleSet['stage'], families: readonly Family[]) => ({
  item: { ruleSetNo: `RS-${no}`, ruleSetName, stage, sort: 2 },
  versionNo: `RV-${no}-1`,
  content: {
    executeMode: 'all' as const,
    whitelistSkips: stage === 'credit',
    rules: families.flatMap(family => family.at.map((n, place) => ruleOf(family, n, place))),
  },
})

/** A second set of each stage beside those that every lender begins with. */
export const demoSets = [
  set('PACE', 'Pace of applications', 'admission', early),
  set('SHARING', 'Sharing and devices', 'antifraud', fraud),
  set('CAREFUL', 'Careful credit', 'credit', credit),
] as const

/** The sets in force from the first day on. */
export const writeRuleSets = async (tx: Tx): Promise<void> => {
  for (const { item, versionNo, content } of demoSets) await begin(tx, ruleSets, item, { versionNo, content })
}

const { ruleSet } = contract

/** A version that somebody still writes: nothing was tested with it. */
export const writeRuleDrafts = async (tx: Tx): Promise<void> => {
  const hand = handFor([ruleSetModule()])
  const boss = await rightsOfPerson(tx, userNoOf('admin'), 'en')
  if (!boss) return
  const [{ item, content }] = demoSets
  const rules = content.rules.map((rule, place) => (place === 2 ? { ...rule, ruleMode: 'shadow' } : rule))
  const asked = { ruleSetNo: item.ruleSetNo, ...content, rules }
  await hand.call(at(tx, tx.now), boss, ruleSet.versionSave as unknown as Endpoint, asked as never)
  await tx.flush()
}
