import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient, useRead } from '../../../core/client/providers.tsx'
import { field } from '../../../core/contract/fields.ts'
import { consumption, type Statement } from '../../../core/contract/merchant/consumption.ts'
import { useText } from '../../../core/element/i18n.ts'
import { keepFile } from '../../../core/engine/files/export-file.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useToast } from '../../../core/engine/form/use-act.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { eatDate } from '../../../core/rules/time.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const [merchantField, monthField] = [field.merchant(), field.month()]
type Asked = { merchantNo: string; month: string }

const Lines = ({ of }: { of: Statement }) => {
  const t = useText()
  return (
    <>
      {!of.agrees && (
        <Callout.Root size="1" color="red">
          <Callout.Text>
            {t('errors.statementDiffers', { closing: formatMoney(of.closing), ledger: formatMoney(of.ledger) })}
          </Callout.Text>
        </Callout.Root>
      )}
      <p>
        {t('fields.opening')}: UGX {formatMoney(of.opening)}
      </p>
      <SmallTable
        schema={consumption.statement.output.shape.lines.element}
        rows={of.lines.map((line, at) => ({ ...line, at }))}
        rowKey="at"
        names={['kind', 'quantity', 'amount']}
        cells={{
          kind: ({ kind, meter }) =>
            [dictText(t, 'STATEMENT_KIND', kind), meter && dictText(t, 'CONSUMPTION_METER', meter)]
              .filter(Boolean)
              .join(' · '),
          amount: row => formatMoney(row.amount),
        }}
        empty={t('consumption.nothing')}
      />
      <p>
        <b>
          {t('fields.closing')}: UGX {formatMoney(of.closing)}
        </b>
      </p>
    </>
  )
}

/** The month of one merchant: what it had, paid in, used and has, on the page and as a file. */
export const StatementDialog = ({ close }: { close: () => void }) => {
  const t = useText()
  const client = useClient()
  const toast = useToast()
  const [merchantNo, setMerchant] = useState<unknown>()
  const [month, setMonth] = useState<unknown>(eatDate(new Date()).slice(0, 7))
  const isReady = typeof merchantNo === 'string' && monthField.safeParse(month).success
  const asked = isReady ? ({ merchantNo, month } as Asked) : null
  const read = useRead(consumption.statement, asked)
  const fetchIt = async (exportFormat: 'pdf' | 'xlsx' | 'csv') => {
    try {
      if (asked)
        keepFile(
          await client.file(consumption.statementFile, { ...asked, exportFormat }),
          `${asked.merchantNo} ${asked.month}.${exportFormat}`,
        )
    } catch (error) {
      toast.failed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
  }
  const isWhole = asked !== null && read.data?.agrees === true
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('consumption.statement')}
      differs={false}
      footer={
        <>
          <DialogCancel />
          <Button variant="soft" disabled={!isWhole} onClick={() => void fetchIt('csv')}>
            CSV
          </Button>
          <Button variant="soft" disabled={!isWhole} onClick={() => void fetchIt('xlsx')}>
            XLSX
          </Button>
          <Button disabled={!isWhole} onClick={() => void fetchIt('pdf')}>
            PDF
          </Button>
        </>
      }
    >
      <Field name="merchantNo" schema={merchantField} value={merchantNo} onChange={setMerchant} />
      <Field name="month" schema={monthField} value={month} onChange={setMonth} />
      {asked && <Loaded read={read}>{data => <Lines of={data} />}</Loaded>}
    </ModalDialog>
  )
}
