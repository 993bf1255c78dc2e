import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { riskModel, type riskModels, type TestRun } from '../../../core/contract/risk/risk-model.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { ScoreBars } from './score-bars.tsx'

type Row = ConfigRow<typeof riskModels>
const schema = riskModel.tests.output.shape.list.element
const names = [
  'modelTestResult',
  'modelTestFault',
  'sampleCount',
  'knownCount',
  'meanScore',
  'auc',
  'ks',
  'missingShare',
  'disagreeShare',
  'testedBy',
  'testedTime',
]

const One = ({ run, last }: { run: TestRun; last: number }) => {
  const t = useText()
  return (
    <section className="mk-section" aria-label={run.modelTestNo}>
      <h3 className="mk-key">{run.modelTestNo}</h3>
      <Facts schema={schema} value={run} names={names} />
      {run.sampleCount > 0 && (
        <ScoreBars
          label={t('riskModel.scores')}
          classes={run.classes}
          last={last}
          series={[{ name: t('riskModel.scores'), counts: run.histogram, colour: 'var(--accent-9)' }]}
        />
      )}
      {run.bands.length > 0 && (
        <SmallTable
          schema={schema.shape.bands.element}
          rows={run.bands}
          rowKey="modelLevel"
          names={['modelLevel', 'scored', 'knownCount', 'badRate']}
          empty=""
          label={t('riskModel.byBand')}
        />
      )}
    </section>
  )
}

/** Tests of a version on stored snapshots, the newest first. */
export const Tests = ({ row }: { row: Row }) => {
  const t = useText()
  const read = useRead(riskModel.tests, { modelVersionNo: row.modelVersionNo })
  return (
    <Loaded read={read}>
      {({ list }) =>
        list.length === 0 ? (
          <Text color="gray">{t('riskModel.noTests')}</Text>
        ) : (
          list.map(run => <One key={run.modelTestNo} run={run} last={row.scoreMax} />)
        )
      }
    </Loaded>
  )
}
