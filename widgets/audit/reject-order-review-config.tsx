import {
  reReviewCount,
  reReviewCounts,
  reReviewRule,
  reReviewRules,
} from '../../core/contract/audit/re-review-config.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { ProbeOrder } from './re-review/probe-order.tsx'
import { RuleMerchant } from './re-review/rule-merchant.tsx'

type RuleRow = ConfigRow<typeof reReviewRules>
type CountRow = ConfigRow<typeof reReviewCounts>

const rules = configScreen({
  config: reReviewRules,
  filters: ['merchantNo'],
  columns: [
    { id: 'merchantName', width: 180, cell: (row: RuleRow) => <RuleMerchant row={row} /> },
    'fromStatuses',
    'windowDays',
    'excludedCodeNames',
    'excludedLevels',
    'perOrderMax',
  ],
  more: ['ruleNo'],
  settings: [
    'ruleNo',
    'merchantName',
    'fromStatuses',
    'windowDays',
    'excludedCodeNames',
    'excludedLevels',
    'perOrderMax',
  ],
  tabs: [{ name: 'test', label: 'reReviewRule.test', body: () => <ProbeOrder /> }],
  confirm: {
    enable: 'reReviewRule.confirmEnable',
    disable: 'reReviewRule.confirmDisable',
    delete: 'reReviewRule.confirmDelete',
  },
  also: [reReviewRule.probe],
})

const counts = configScreen({
  config: reReviewCounts,
  filters: ['roleNo', 'userNo'],
  columns: [
    { id: 'roleName', width: 180, cell: (row: CountRow) => row.roleName ?? '–' },
    'realName',
    'dailyCount',
    'usedToday',
  ],
  more: ['countRuleNo'],
  settings: ['countRuleNo', 'roleName', 'realName', 'dailyCount', 'usedToday'],
  confirm: {
    enable: 'reReviewCount.confirmEnable',
    disable: 'reReviewCount.confirmDisable',
    delete: 'reReviewCount.confirmDelete',
  },
  also: [reReviewCount.detail],
})

/** The audit manager says which rejected orders may be asked for again, and how often on a day. */
export default tabbed([
  { name: 'eligibility', label: 'reReviewRule.eligibility', screen: rules },
  { name: 'count', label: 'reReviewRule.counts', screen: counts },
])
