import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { bandsIn, cutoff, type cutoffs } from '../../../core/contract/risk/cutoff.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { Put } from '../../../core/engine/screen.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { bandsFlaw } from '../../../core/rules/risk/bands.ts'
import { Callout, Text } from '../../../core/ui/basics.ts'
import { Loading } from '../../../core/ui/states.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { PeriodChoice, usePeriod } from '../risk-model/period.tsx'
import { type BandRow, BandsDrawing } from './bands-drawing.tsx'

type Row = ConfigRow<typeof cutoffs>
type Simulated = OutputOf<typeof cutoff.simulate>
type Content = { firstBands: readonly BandRow[]; repeatBands: readonly BandRow[] }
const fields = { first: 'firstBands', repeat: 'repeatBands' } as const

const Sums = ({ before, after }: Simulated) => {
  const t = useText()
  const { shape } = cutoff.simulate.output
  const rows = [
    { id: 'before', of: t('fields.before'), ...before },
    { id: 'after', of: t('fields.after'), ...after },
  ]
  return (
    <SmallTable
      schema={shape.after}
      rows={rows}
      rowKey="id"
      names={['of', 'scored', 'passedCount', 'passedShare', 'knownCount', 'badRate', 'lent', 'lost']}
      headers={{ of: '' }}
      cells={{ of: ({ of }) => of }}
      empty=""
      label={t('cutoff.simulation')}
    />
  )
}

const ByBand = ({ bands }: Simulated) => {
  const t = useText()
  return (
    <SmallTable
      schema={cutoff.simulate.output.shape.bands.element}
      rows={bands.map(one => ({ ...one, id: `${one.loanKind} ${one.modelLevel}` }))}
      rowKey="id"
      names={['loanKind', 'modelLevel', 'bandDecision', 'scored', 'bandShare', 'knownCount', 'badRate', 'monthlyLoss']}
      empty=""
      label={t('riskModel.byBand')}
    />
  )
}

const isBand = (one: BandRow) => cutoff.simulate.input.shape.firstBands.element.safeParse(one).success
/** Whether bands are far enough typed to be asked about. */
const areWhole = ({ firstBands, repeatBands }: Content) =>
  firstBands.length > 0 && repeatBands.length > 0 && [...firstBands, ...repeatBands].every(isBand)

type Props = { row: Pick<Row, 'cutoffNo' | 'scoreMin' | 'scoreMax'>; content: Content; put?: Put | undefined }

/** Bands over the scores of a period, and what they would have done. */
export const Simulated = ({ row, content, put }: Props) => {
  const t = useText()
  const [period, choose] = usePeriod()
  const whole = areWhole(content)
  const flaw = whole ? bandsFlaw(bandsIn(content), row) : null
  const asked = whole && !flaw ? { cutoffNo: row.cutoffNo, ...content, ...period } : null
  const read = useRead(cutoff.simulate, asked as never)
  return (
    <>
      <PeriodChoice period={period} choose={choose} />
      {flaw && (
        <Callout.Root size="1" color="red" mb="2" role="alert">
          <Callout.Text>
            {t.maybe(flaw.key, { ...flaw.params, kind: t.maybe(String(flaw.params.kind)) ?? '' })}
          </Callout.Text>
        </Callout.Root>
      )}
      {whole && put && (
        <Text as="p" size="1" color="gray">
          {t('cutoff.lines')}
        </Text>
      )}
      {whole &&
        (['first', 'repeat'] as const).map(kind => (
          <section key={kind} className="mk-section">
            <h3>{dictText(t, 'LOAN_KIND', kind)}</h3>
            <BandsDrawing
              kind={kind}
              bands={content[fields[kind]]}
              counts={read.data?.[kind] ?? []}
              range={row}
              move={put && (bands => put(fields[kind], bands))}
            />
          </section>
        ))}
      {asked && (
        <Loaded read={read}>
          {data => (
            <>
              <Sums {...data} />
              <ByBand {...data} />
            </>
          )}
        </Loaded>
      )}
      <Text as="p" size="1" color="gray" mt="2">
        {t('riskModel.simulationNote')}
      </Text>
    </>
  )
}

/** The same of the version in force. */
export const BandsTab = ({ row }: { row: Row }) => {
  const t = useText()
  const { firstBands, repeatBands } = row
  if (!firstBands || !repeatBands) return <Text color="gray">{t('config.noVersions')}</Text>
  return <Simulated row={row} content={{ firstBands, repeatBands }} />
}

/** The same below a draft, whose borders are dragged here. */
export const DraftBands = ({
  cutoffNo,
  values,
  put,
}: {
  cutoffNo: string
  values: Readonly<Record<string, unknown>>
  put: Put
}) => {
  const item = useRead(cutoff.detail, { cutoffNo } as never)
  if (!item.data) return <Loading rows={2} />
  const { firstBands = [], repeatBands = [] } = values as Partial<Content>
  return <Simulated row={item.data} content={{ firstBands, repeatBands }} put={put} />
}
