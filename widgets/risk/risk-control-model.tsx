import { lazy, Suspense } from 'react'
import type { ConfigRow } from '../../core/contract/config.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { cutoff, cutoffs } from '../../core/contract/risk/cutoff.ts'
import { riskModel, riskModels, type ScoreRow } from '../../core/contract/risk/risk-model.ts'
import { configScreen } from '../../core/engine/config/config-screen.tsx'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { tabbed } from '../../core/engine/list/tabbed.tsx'
import type { Action } from '../../core/engine/screen.ts'
import type { Key } from '../../core/i18n/index.ts'
import { Loading } from '../../core/ui/states.tsx'
import { NewModel, NewVersion } from './risk-model/new-model.tsx'
import { Psi } from './risk-model/verdict.tsx'

const Card = lazy(async () => ({ default: (await import('./risk-model/card.tsx')).Card }))
const Monitor = lazy(async () => ({ default: (await import('./risk-model/monitor.tsx')).Monitor }))
const Comparison = lazy(async () => ({ default: (await import('./risk-model/monitor.tsx')).Comparison }))
const Tests = lazy(async () => ({ default: (await import('./risk-model/tests.tsx')).Tests }))
const BandsTab = lazy(async () => ({ default: (await import('./cutoff/simulation.tsx')).BandsTab }))
const DraftBands = lazy(async () => ({ default: (await import('./cutoff/simulation.tsx')).DraftBands }))

const Named = lazy(async () => ({ default: (await import('./risk-model/fact-name.tsx')).FactNames }))

type Row = ConfigRow<typeof riskModels>
const waiting = <Loading rows={3} />
const of = (row: Row) => ({ modelName: row.modelName, modelVersion: row.modelVersion })
const one = (rows: readonly Row[]) => rows[0] as Row
const ask = (key: Key) => (rows: readonly Row[]) => ({ key, params: of(one(rows)) })
/** Buttons of a screen's own decide by themselves when they apply. */
const call = (endpoint: unknown) => ({ ...(endpoint as Endpoint), on: undefined }) as Endpoint
const itself = (rows: readonly Row[]) => ({ modelVersionNo: one(rows).modelVersionNo, version: one(rows).version })

const actions: readonly Action<Row>[] = [
  {
    label: 'riskModel.test',
    run: riskModel.test,
    input: rows => ({ modelVersionNo: one(rows).modelVersionNo }),
    confirm: ask('riskModel.confirmTest'),
    done: answer => {
      const { modelTestResult, sampleCount } = answer as { modelTestResult: string; sampleCount: number }
      return {
        key: 'riskModel.tested',
        params: { result: `dict.MODEL_TEST_RESULT.${modelTestResult}`, n: sampleCount },
      }
    },
    when: row => row.enabled === 'enabled' || 'errors.modelRetired',
  },
  {
    label: 'config.edit',
    run: {
      ...riskModels.events.update,
      on: { ...riskModels.events.update.on, event: 'item.update' },
    } as unknown as Endpoint,
    ask: ['modelName', 'psiLook', 'psiAct'],
    from: 'row',
    input: itself,
  },
  {
    label: 'riskModel.newVersion',
    needs: { ...riskModels.events.create, on: undefined } as Endpoint,
    dialog: NewVersion,
  },
  {
    label: 'riskModel.setCredential',
    run: riskModel.credential,
    ask: ['credential'],
    input: itself,
    confirm: 'riskModel.confirmCredential',
    when: row => row.modelKind === 'external' || 'errors.noCredential',
  },
  {
    label: 'riskModel.stop',
    tone: 'danger',
    run: call(riskModel.emergency),
    ask: ['reason'],
    input: itself,
    confirm: ask('riskModel.confirmStop'),
    when: row => (row.modelRole === 'challenger' && (row.trafficPercent ?? 0) > 0) || 'errors.notChallenger',
  },
  {
    label: 'riskModel.keep',
    run: call(riskModel.keep),
    ask: ['reason'],
    input: rows => ({ versionNo: rows[0]?.versionNo, version: rows[0]?.heldVersion }),
    confirm: ask('riskModel.confirmKeep'),
    when: row => row.emergencyUntil !== null || 'errors.nothingToKeep',
  },
  {
    label: 'riskModel.retire',
    tone: 'danger',
    run: call(riskModels.events.disable),
    input: rows => ({ ...itself(rows), enabled: false }),
    confirm: ask('riskModel.confirmRetire'),
    when: row =>
      row.enabled === 'enabled' ? row.modelRole !== 'champion' || 'errors.championStays' : 'errors.modelRetired',
  },
  {
    label: 'riskModel.reinstate',
    run: call(riskModels.events.enable),
    input: rows => ({ ...itself(rows), enabled: true }),
    confirm: ask('riskModel.confirmReinstate'),
    when: row => row.enabled === 'disabled',
  },
  {
    label: 'config.delete',
    tone: 'danger',
    run: riskModels.events.remove as unknown as Endpoint,
    input: itself,
    confirm: ask('riskModel.confirmDelete'),
  },
]

const models = configScreen({
  config: riskModels,
  filters: ['modelName', 'modelKind', 'modelRole', 'versionStatus', 'merchantNo', 'productNo'],
  columns: [
    'modelName',
    'modelVersion',
    'modelKind',
    'modelRole',
    'trafficPercent',
    'versionStatus',
    'scored7',
    'meanScore',
    'approveShare',
    'reviewShare',
    'refuseShare',
    { id: 'psi', cell: (row: Row) => <Psi psi={row.psi} verdict={row.psiVerdict} /> },
    'auc',
    'ks',
    'knownCount',
    'missingShare',
    'p95Ms',
    { id: 'sha256', cell: (row: Row) => <code title={row.sha256}>{row.sha256.slice(0, 12)}</code> },
  ],
  more: ['modelNo', 'modelVersionNo', 'scoreMin', 'scoreMax', 'modelTestResult', 'hasCredential', 'psiVerdict'],
  settings: [
    'modelName',
    'modelNo',
    'modelVersion',
    'modelKind',
    'modelRole',
    'trafficPercent',
    'scoreMin',
    'scoreMax',
    'basePoints',
    'psiLook',
    'psiAct',
    'modelTestResult',
    'hasCredential',
    'sha256',
    'effectiveTime',
  ],
  confirm: {
    enable: 'riskModel.confirmEnable',
    disable: 'riskModel.confirmDisable',
    delete: 'riskModel.confirmDelete',
  },
  effect: 'riskModel.effect',
  settled: true,
  toolbar: [
    {
      label: 'riskModel.newModel',
      needs: { ...riskModels.events.create, on: undefined } as Endpoint,
      dialog: NewModel,
    },
  ],
  row: actions,
  tabs: [
    {
      name: 'card',
      label: 'riskModel.card',
      body: row => (
        <Suspense fallback={waiting}>
          <Card row={row} />
        </Suspense>
      ),
    },
    {
      name: 'monitor',
      label: 'riskModel.monitor',
      body: row => (
        <Suspense fallback={waiting}>
          <Monitor row={row} />
        </Suspense>
      ),
    },
    {
      name: 'comparison',
      label: 'riskModel.comparison',
      body: row => (
        <Suspense fallback={waiting}>
          <Comparison row={row} />
        </Suspense>
      ),
    },
    {
      name: 'tests',
      label: 'riskModel.tests',
      body: row => (
        <Suspense fallback={waiting}>
          <Tests row={row} />
        </Suspense>
      ),
    },
  ],
  also: [riskModel.card, riskModel.monitor, riskModel.tests],
})

const cutoffList = configScreen({
  config: cutoffs,
  filters: ['modelNo'],
  columns: ['cutoffName', 'modelName', 'modelNo', 'scoreMin', 'scoreMax', 'versionNo'],
  more: ['cutoffNo'],
  confirm: { enable: 'cutoff.confirmEnable', disable: 'cutoff.confirmDisable', delete: 'cutoff.confirmDelete' },
  effect: 'cutoff.effect',
  draftPreview: (no, values, put) => (
    <Suspense fallback={waiting}>
      <DraftBands cutoffNo={no} values={values} put={put} />
    </Suspense>
  ),
  tabs: [
    {
      name: 'bands',
      label: 'cutoff.simulation',
      body: row => (
        <Suspense fallback={waiting}>
          <BandsTab row={row} />
        </Suspense>
      ),
    },
  ],
  also: [cutoff.simulate, cutoff.versions],
})

const named = (names: string | null) => (
  <Suspense fallback={null}>
    <Named names={names} />
  </Suspense>
)

const scores = listScreen({
  list: riskModel.scores,
  rowKey: 'scoreNo',
  start: { scoredTime: 'last30' },
  filters: ['orderNo', 'scoredTime', 'modelVersionNo', 'loanKind', 'modelRole', 'modelLevel', 'productNo'],
  columns: [
    ...(['scoredTime', 'orderNo', 'modelName', 'modelVersion', 'modelRole', 'loanKind', 'modelScore'] as const),
    'modelLevel',
    { id: 'scoreReasons', cell: (row: ScoreRow) => named(row.scoreReasons) },
    { id: 'missingFacts', cell: (row: ScoreRow) => named(row.missingFacts) },
    'wentBad',
  ],
  more: ['scoreNo', 'modelVersionNo', 'productName', 'merchantName'],
})

/** Modelling analysts bring in versions and watch whether they hold; the risk head moves the cut-offs. */
export default tabbed([
  { name: 'models', label: 'riskModel.models', screen: models },
  { name: 'cutoffs', label: 'riskModel.cutoffs', screen: cutoffList },
  { name: 'scores', label: 'riskModel.scoreList', screen: scores },
])
