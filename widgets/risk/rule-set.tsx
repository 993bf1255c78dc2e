import { lazy, Suspense } from 'react'
import { useMay } from '../../core/client/providers.tsx'
import { businessConfig, businessConfigs } from '../../core/contract/common/business-config.ts'
import { common } from '../../core/contract/common/common.ts'
import type { ConfigRow } from '../../core/contract/config.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { riskPlan, riskPlans, setsNamed } from '../../core/contract/risk/plan.ts'
import { type RiskDecision, ruleSet, ruleSets } from '../../core/contract/risk/rule-set.ts'
import { useText } from '../../core/element/i18n.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import { type Action, type Screen, screen } from '../../core/engine/screen.ts'
import { Loading } from '../../core/ui/states.tsx'
import { settingCalls } from '../shared/business-config-dialog.tsx'
import { ReviewModeDialog, ReviewModeLine } from './rule-set/review-mode.tsx'
import { bench, changes } from './rule-test/bench.tsx'

const Draft = lazy(async () => ({ default: (await import('./rule-set/draft-check.tsx')).DraftCheck }))
const Figures = lazy(async () => ({ default: (await import('./rule-set/rule-figures.tsx')).RuleFigures }))
const Detail = lazy(async () => ({ default: (await import('../shared/decision/risk-decision.tsx')).RiskDecision }))
const Facts = lazy(async () => ({ default: (await import('./rule-set/fact-list.tsx')).FactList }))

type Row = ConfigRow<typeof ruleSets>
const waiting = <Loading rows={3} />

const one = (rows: readonly Row[]) => rows[0] as Row
/** Buttons of a screen's own decide by themselves when they apply. */
const call = (endpoint: unknown) => ({ ...(endpoint as Endpoint), on: undefined }) as Endpoint

const actions: readonly Action<Row>[] = [
  {
    label: 'ruleSet.milder',
    tone: 'danger',
    run: call(ruleSet.emergency),
    ask: ['ruleNo', 'reason'],
    input: rows => ({ ruleSetNo: one(rows).ruleSetNo, version: one(rows).version }),
    confirm: 'ruleSet.confirmMilder',
    when: row => (row.versionNo !== null && (row.enforcedCount ?? 0) > 0) || 'errors.nothingEnforced',
  },
  {
    label: 'ruleSet.keep',
    run: call(ruleSet.keep),
    ask: ['reason'],
    input: rows => ({ versionNo: one(rows).versionNo, version: one(rows).heldVersion }),
    confirm: 'ruleSet.confirmKeep',
    when: row => row.emergencyUntil !== null || 'errors.nothingToKeep',
  },
]

const sets = configScreen({
  config: ruleSets,
  filters: ['ruleSetName', 'stage', 'ruleMode', 'refuseCode', 'ruleAction', 'expression', 'merchantNo', 'productNo'],
  columns: ['ruleSetName', 'stage', 'sort', 'versionNo', 'enforcedCount', 'shadowCount', 'offCount', 'hitRate7'],
  more: ['ruleSetNo', 'executeMode', 'whitelistSkips', 'emergencyUntil'],
  row: actions,
  settings: [
    'ruleSetName',
    'stage',
    'sort',
    'executeMode',
    'whitelistSkips',
    'merchantNos',
    'productNos',
    'loanKinds',
    'enforcedCount',
    'shadowCount',
    'offCount',
    'hitRate7',
    'emergencyUntil',
  ],
  confirm: { enable: 'ruleSet.confirmEnable', disable: 'ruleSet.confirmDisable', delete: 'ruleSet.confirmDelete' },
  effect: 'ruleSet.effect',
  draftPreview: (no, values, put) => (
    <Suspense fallback={waiting}>
      <Draft ruleSetNo={no} values={values} put={put} />
    </Suspense>
  ),
  tabs: [
    {
      name: 'rules',
      label: 'ruleSet.rules',
      body: (row: Row) => (
        <Suspense fallback={waiting}>
          <Figures row={row} />
        </Suspense>
      ),
    },
  ],
  also: [ruleSet.figures, ruleSet.check, ruleSet.tryOn, ruleSet.versions],
})

/** The sets that a plan asks, in its order. */
const Asked = ({ row }: { row: ConfigRow<typeof riskPlans> }) => {
  const t = useText()
  return <>{setsNamed(row).join(', ') || t('riskPlan.allSets')}</>
}

const plans = configScreen({
  config: riskPlans,
  filters: ['merchantNo', 'productNo', 'loanKind'],
  columns: [
    'productName',
    'loanKind',
    { id: 'plannedSets', label: 'fields.plannedSets', cell: row => <Asked row={row} /> },
    'modelNo',
    'versionNo',
  ],
  more: ['planNo', 'merchantName'],
  settings: ['productName', 'merchantName', 'loanKind', 'modelNo', 'plannedSets'],
  confirm: { enable: 'riskPlan.confirmEnable', disable: 'riskPlan.confirmDisable', delete: 'riskPlan.confirmDelete' },
  effect: 'riskPlan.effect',
  toolbar: [
    {
      label: 'riskPlan.mode',
      needs: { perm: businessConfigs.MACHINE_REVIEW_MODE.save, audit: businessConfig.update.audit },
      dialog: ReviewModeDialog,
    },
    {
      label: 'riskPlan.manualAll',
      tone: 'danger',
      run: riskPlan.manualAll,
      ask: ['reason'],
      input: () => ({}),
      confirm: 'riskPlan.confirmManualAll',
    },
  ],
  also: [riskPlan.versions, riskPlan.manualAll, common.options, ...settingCalls],
})

const decisions = listScreen({
  list: ruleSet.decisions,
  rowKey: 'decisionNo',
  filters: [
    'orderNo',
    'riskDecision',
    'refuseCode',
    'decidedTime',
    'ruleNo',
    'modelLevel',
    'merchantNo',
    'productNo',
    'loanKind',
  ],
  presets: [
    { label: 'ruleSet.lastWeek', filters: { decidedTime: 'last7' } },
    { label: 'ruleSet.incompleteOnly', filters: { riskDecision: ['incomplete'] } },
    { label: 'config.all', filters: {} },
  ],
  columns: [
    'decidedTime',
    'orderNo',
    'customerName',
    'productName',
    'loanKind',
    'riskDecision',
    'refuseCode',
    'modelScore',
    'modelLevel',
    'suggestedAmount',
    'durationMs',
  ],
  more: ['decisionNo', 'merchantName', 'usedVersions'],
  detail: (row: RiskDecision) => (
    <Suspense fallback={waiting}>
      <Detail of={{ decisionNo: row.decisionNo }} />
    </Suspense>
  ),
  also: [ruleSet.decisionDetail],
})

const facts = screen([ruleSet.factList], () => (
  <Suspense fallback={waiting}>
    <Facts />
  </Suspense>
))

const tabs = tabbed([
  { name: 'rules', label: 'ruleSet.rules', screen: sets },
  { name: 'plan', label: 'riskPlan.plan', screen: plans },
  { name: 'bench', label: 'ruleTest.bench', screen: bench },
  { name: 'changes', label: 'ruleTest.changed', screen: changes },
  { name: 'decisions', label: 'ruleSet.decisions', screen: decisions },
  { name: 'facts', label: 'ruleSet.facts', screen: facts },
])

const ModeLine = () => {
  const may = useMay()
  return may.have(businessConfigs.MACHINE_REVIEW_MODE.read) && <ReviewModeLine />
}

/** Risk analysts write and try rules, the risk head releases them, and both look up why an order was decided as it was. */
export default {
  ...tabs,
  render: () => (
    <>
      <ModeLine />
      {tabs.render()}
    </>
  ),
} satisfies Screen
