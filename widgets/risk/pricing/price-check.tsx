import { useRead } from '../../../core/client/providers.tsx'
import { type CheckedCell, pricing } from '../../../core/contract/risk/pricing.ts'
import { useText } from '../../../core/element/i18n.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import type { PriceCell } from '../../../core/rules/risk-price.ts'
import { Badge, Callout, Text } from '../../../core/ui/basics.ts'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { areWhole } from './cells.ts'

const colours = { ok: 'green', warn: 'amber', over: 'red' } as const

/** What the law says of a cell: the verdict, and each cap that it breaks with both figures. */
const Verdict = ({ cell }: { cell: CheckedCell }) => {
  const t = useText()
  const broken = cell.caps.filter(one => one.verdict !== 'ok')
  return (
    <>
      <Badge color={cell.problem ? 'red' : colours[cell.verdict]}>
        {cell.problem ? t.maybe(cell.problem, { level: cell.modelLevel }) : dictText(t, 'CAP_VERDICT', cell.verdict)}
      </Badge>
      {broken.map(({ capKey, figure, capValue }) => (
        <Text key={capKey} as="p" size="1">
          {t('pricing.brokenCap', { cap: dictText(t, 'CAP_KEY', capKey), figure, max: capValue })}
        </Text>
      ))}
    </>
  )
}

const names = ['modelLevel', 'interestMonthRate', 'interestYearRate', 'allInMonthRate', 'lateMaxRate', 'verdict']

/** Figures and verdict of each level, of cells as they are typed. */
export const Checked = ({ productNo, cells }: { productNo: string; cells: readonly PriceCell[] | undefined }) => {
  const t = useText()
  const ready = areWhole(cells)
  const read = useRead(pricing.check, ready ? ({ productNo, cells } as never) : null)
  if (!ready)
    return (
      <Text as="p" size="1" color="gray">
        {t('pricing.typeAll')}
      </Text>
    )
  if (!read.data)
    return read.error ? (
      <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
    ) : (
      <Loading rows={2} />
    )
  const { list, dearerThanNext } = read.data
  return (
    <>
      <SmallTable
        schema={pricing.check.output.shape.list.element}
        rows={list}
        rowKey="modelLevel"
        names={names}
        empty=""
        label={t('pricing.figures')}
        cells={{ verdict: cell => <Verdict cell={cell} /> }}
      />
      {dearerThanNext.length > 0 && (
        <Callout.Root size="1" color="amber" mt="2">
          <Callout.Text>{t('pricing.dearer', { levels: dearerThanNext.join(', ') })}</Callout.Text>
        </Callout.Root>
      )}
    </>
  )
}

/** The same below a draft: the grid tells its product. */
export const DraftCheck = ({ pricingNo, cells }: { pricingNo: string; cells: readonly PriceCell[] | undefined }) => {
  const grid = useRead(pricing.detail, { pricingNo } as never)
  return grid.data ? <Checked productNo={grid.data.productNo} cells={cells} /> : <Loading rows={2} />
}
