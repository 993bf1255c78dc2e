import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { type Monitor as Figures, riskModel, type riskModels } from '../../../core/contract/risk/risk-model.ts'
import { useText } from '../../../core/element/i18n.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Badge, Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { FactName } from './fact-name.tsx'
import { usePeriod, WatchedChoice } from './period.tsx'
import { ScoreBars } from './score-bars.tsx'
import { psiColours } from './verdict.tsx'

type Row = ConfigRow<typeof riskModels>
const shape = riskModel.monitor.output.shape

const Scores = ({ data, row }: { data: Figures; row: Row }) => {
  const t = useText()
  const { psi, psiVerdict, classes, now, development } = data
  return (
    <section className="mk-section">
      <h3>
        {t('riskModel.scores')}{' '}
        {psi !== null && psiVerdict && (
          <Badge color={psiColours[psiVerdict]}>
            {t('riskModel.psiIs', { psi, verdict: dictText(t, 'PSI_VERDICT', psiVerdict) })}
          </Badge>
        )}
      </h3>
      {now.every(count => count === 0) ? (
        <Text color="gray">{t('riskModel.noScores')}</Text>
      ) : (
        <ScoreBars
          label={t('riskModel.scores')}
          classes={classes}
          last={row.scoreMax}
          series={[
            { name: t('riskModel.scoresNow'), counts: now, colour: 'var(--accent-9)' },
            { name: t('riskModel.scoresThen'), counts: development, colour: 'var(--gray-8)' },
          ]}
        />
      )}
    </section>
  )
}

const Days = ({ data, row }: { data: Figures; row: Row }) => {
  const t = useText()
  const known = data.days.filter(day => day.psi !== null)
  if (known.length === 0) return null
  return (
    <section className="mk-section">
      <h3>{t('riskModel.psiByDay')}</h3>
      <Bars
        label={t('riskModel.psiByDay')}
        bars={known.map(({ day, psi }) => ({
          name: day.slice(5),
          value: Number(psi) * 1_000,
          label: `${day}: ${psi}`,
          quiet: Number(psi) >= Number(row.psiLook),
        }))}
      />
    </section>
  )
}

const Tables = ({ data }: { data: Figures }) => {
  const t = useText()
  const bands = data.bands.map(one => ({ ...one, id: `${one.loanKind} ${one.modelLevel}` }))
  const weeks = data.weeks.map(one => ({ ...one, id: `${one.week} ${one.modelLevel}` }))
  return (
    <>
      <section className="mk-section">
        <h3>{t('riskModel.byBand')}</h3>
        <SmallTable
          schema={shape.bands.element}
          rows={bands}
          rowKey="id"
          names={[
            'loanKind',
            'modelLevel',
            'scored',
            'approvedCount',
            'reviewedCount',
            'machineRefused',
            'knownCount',
            'badRate',
          ]}
          empty={t('riskModel.noScores')}
          label={t('riskModel.byBand')}
        />
      </section>
      <section className="mk-section">
        <h3>{t('riskModel.byWeek')}</h3>
        <SmallTable
          schema={shape.weeks.element}
          rows={weeks}
          rowKey="id"
          names={['week', 'modelLevel', 'knownCount', 'badRate']}
          empty={t('riskModel.noKnown')}
          label={t('riskModel.byWeek')}
        />
      </section>
      <section className="mk-section">
        <h3>{t('riskModel.missingFacts')}</h3>
        <SmallTable
          schema={shape.missing.element}
          rows={data.missing}
          rowKey="fact"
          names={['fact', 'missingShare']}
          empty={t('riskModel.noMissing')}
          label={t('riskModel.missingFacts')}
          cells={{ fact: row => <FactName name={row.fact} /> }}
        />
      </section>
    </>
  )
}

/** What cost points, as auditors read it. */
const Reasons = ({ data }: { data: Figures }) => {
  const t = useText()
  return (
    <section className="mk-section">
      <h3>{t('riskModel.reasons')}</h3>
      <SmallTable
        schema={shape.reasons.element}
        rows={data.reasons}
        rowKey="reason"
        names={['reason', 'scored', 'reasonShare']}
        empty={t('riskModel.noReasons')}
        label={t('riskModel.reasons')}
        cells={{ reason: row => <FactName name={row.reason} /> }}
      />
    </section>
  )
}

const useMonitor = (row: Row) => {
  const [period, choose] = usePeriod()
  const read = useRead(riskModel.monitor, { modelVersionNo: row.modelVersionNo, ...period } as never)
  return { period, choose, read }
}

/** How a version does in a period: its scores beside those of its sample, and what became of the orders. */
export const Monitor = ({ row }: { row: Row }) => {
  const { period, choose, read } = useMonitor(row)
  return (
    <>
      <WatchedChoice period={period} choose={choose} />
      <Loaded read={read}>
        {data => (
          <>
            <Scores data={data} row={row} />
            <Days data={data} row={row} />
            <Tables data={data} />
            <Reasons data={data} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** Champion and challengers of a model on the same days. */
export const Comparison = ({ row }: { row: Row }) => {
  const t = useText()
  const { period, choose, read } = useMonitor(row)
  return (
    <>
      <WatchedChoice period={period} choose={choose} />
      <Loaded read={read}>
        {({ arms }) => (
          <SmallTable
            schema={shape.arms.element}
            rows={arms.map(one => ({ ...one, id: `${one.modelVersionNo} ${one.modelRole}` }))}
            rowKey="id"
            names={[
              'modelVersion',
              'modelRole',
              'scored',
              'meanScore',
              'passedShare',
              'knownCount',
              'badRate',
              'auc',
              'ks',
            ]}
            empty={t('riskModel.noScores')}
            label={t('riskModel.comparison')}
          />
        )}
      </Loaded>
    </>
  )
}
