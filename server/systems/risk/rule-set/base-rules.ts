import type { Rule, RuleSet } from '../../../../core/rules/risk/rule.ts'

/** A set that every lender begins with. */
export type BaseSet = RuleSet & { ruleSetName: string }

const refuses = (code: string, names: readonly [zh: string, en: string, sw: string], expression: string): Rule => ({
  ruleNo: code,
  ruleNameZh: names[0],
  ruleNameEn: names[1],
  ruleNameSw: names[2],
  expression,
  ruleAction: 'refuse',
  refuseCode: code,
  onMissing: 'review',
  ruleMode: 'enforce',
})

const set = (no: string, ruleSetName: string, stage: RuleSet['stage'], rules: readonly Rule[]): BaseSet => ({
  ruleSetNo: `RS-${no}`,
  versionNo: `RV-${no}-1`,
  ruleSetName,
  stage,
  executeMode: 'all',
  whitelistSkips: false,
  rules,
})

/** The rules that applications were decided by before anybody could change them; written at the first start. */
export const baseSets: readonly BaseSet[] = [
  set('ADMISSION', 'Base admission', 'admission', [
    refuses(
      'MR_AGE',
      ['年龄不符', 'Age outside the limits', 'Umri hauruhusiwi'],
      'customer.age < 18 || customer.age > 65',
    ),
  ]),
  set('FRAUD', 'Base anti-fraud', 'antifraud', [
    refuses('MR_DEVICE', ['模拟器申请', 'Applied from an emulator', 'Ombi kutoka kwenye kiigizi'], 'device.emulator'),
    refuses(
      'MR_SHARED_DEVICE',
      ['设备被多人使用', 'Device shared by several customers', 'Kifaa kinatumiwa na wateja kadhaa'],
      'device.accountCount >= 3',
    ),
  ]),
  set('HISTORY', 'Base history', 'credit', [
    refuses('MR_OVERDUE', ['当前逾期', 'Overdue now', 'Amechelewa kulipa sasa'], 'history.overdueNow'),
    refuses(
      'MR_HISTORY',
      ['历史严重逾期', 'Seriously overdue before', 'Aliwahi kuchelewa sana'],
      'history.maxOverdueDays > 30',
    ),
  ]),
]
