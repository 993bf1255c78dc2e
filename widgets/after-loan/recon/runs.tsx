import { useRead } from '../../../core/client/providers.tsx'
import { recon } from '../../../core/contract/after-loan/reconciliation.ts'
import { logCalls } from '../../../core/contract/common/common.ts'
import { upload } from '../../../core/contract/common/upload.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { listScreen } from '../../../core/engine/list/list-screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { Figures } from '../../shared/figures.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { ImportDialog } from './import-dialog.tsx'

type Detail = OutputOf<typeof recon.runDetail>
const { shape } = recon.runDetail.output

/** Closing statement = closing ledger + in flight + open items. */
const Equation = ({ run }: Pick<Detail, 'run'>) => {
  const t = useText()
  const said = (value: string | null) => (value === null ? '–' : formatMoney(value))
  return (
    <Figures
      label={t('recon.equation')}
      list={[
        { label: t('fields.closingStatement'), value: said(run.closingStatement) },
        { label: t('fields.closingLedger'), value: said(run.closingLedger) },
        { label: t('fields.inFlight'), value: said(run.inFlight) },
        { label: t('fields.openSum'), value: said(run.openSum) },
        { label: t('fields.unexplained'), value: said(run.unexplained) },
      ]}
    />
  )
}

const RunDetail = ({ reconNo }: { reconNo: string }) => {
  const t = useText()
  return (
    <Loaded read={useRead(recon.runDetail, { reconNo }, { follows: true })}>
      {({ run, lines, items }) => (
        <>
          <Section title={t('recon.equation')}>
            <Equation run={run} />
          </Section>
          <Section title={t('recon.items')}>
            <SmallTable
              schema={shape.items.element}
              rows={items}
              rowKey="reconItemNo"
              names={['reconItemNo', 'reconKind', 'reference', 'difference', 'ageDays', 'reconStatus']}
              empty={t('recon.noItem')}
            />
          </Section>
          <Section title={t('recon.matchedLines')}>
            <SmallTable
              schema={shape.lines.element}
              rows={lines}
              rowKey="lineNo"
              names={['serialNo', 'lineDirection', 'lineKind', 'amount', 'entryTime', 'reference']}
              empty={t('recon.noMatched')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** Each account and day: whether the statement agrees with the books, and what it lacks. */
export default listScreen({
  list: recon.runPage,
  rowKey: 'reconNo',
  start: { reconDate: 'last30' },
  presets: [
    { label: 'recon.notBalanced', filters: { reconResult: ['differences', 'incomplete_file'] }, counted: true },
    { label: 'recon.noStatement', filters: { reconResult: ['no_statement'] }, counted: true },
  ],
  filters: ['fundAccountNo', 'reconDate', 'reconResult', 'channel'],
  columns: [
    'reconDate',
    'accountName',
    'closingStatement',
    'closingLedger',
    'inFlight',
    'matchedCount',
    'openItems',
    'openSum',
    'unexplained',
    'reconResult',
  ],
  more: ['reconNo', 'openingStatement', 'openingLedger', 'matchedSum', 'runTime'],
  toolbar: () => [{ label: 'actions.importStatement', needs: recon.import, dialog: ImportDialog }],
  row: act => [
    act(recon.run, {
      label: 'actions.runAgain',
      input: ([row]) => ({ fundAccountNo: row?.fundAccountNo, reconDate: row?.reconDate }),
      confirm: 'recon.confirmRun',
    }),
  ],
  detail: row => <RunDetail reconNo={row.reconNo} />,
  also: [
    ...logCalls,
    recon.runDetail,
    recon.importCheck,
    recon.importTemplate,
    upload.token,
    upload.chunk,
    upload.complete,
    upload.file,
  ],
})
