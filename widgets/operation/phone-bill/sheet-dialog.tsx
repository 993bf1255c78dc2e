import { useRef, useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { field } from '../../../core/contract/fields.ts'
import { phoneBill } from '../../../core/contract/operation/phone-bill.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { eatDate } from '../../../core/rules/time.ts'
import { Button } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { print } from '../../../core/ui/print.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Summary = OutputOf<typeof phoneBill.summary>
type Line = Summary['lines'][number] & { at: number; signature: '' }

const monthField = field.month()
const { shape } = phoneBill.summary.output
const signed = shape.lines.element.extend({ signature: field.text() })

/** Lines of each department, in their order. */
const byDept = (lines: Summary['lines']): [string, Line[]][] => {
  const found = new Map<string, Line[]>()
  for (const [at, line] of lines.entries()) {
    const list = found.get(line.deptName) ?? []
    list.push({ ...line, at, signature: '' })
    found.set(line.deptName, list)
  }
  return [...found]
}

const Sheets = ({ of }: { of: Summary }) => {
  const t = useText()
  return (
    <>
      <Section title={t('phoneBill.byDept')}>
        <SmallTable
          schema={shape.sums.element}
          rows={of.sums.map((sum, at) => ({ ...sum, at }))}
          rowKey="at"
          names={['deptName', 'post', 'headcount', 'amount', 'successAmount']}
          empty={t('phoneBill.nothing')}
        />
      </Section>
      {byDept(of.lines).map(([deptName, lines]) => (
        <Section key={deptName} title={deptName}>
          <SmallTable
            schema={signed}
            rows={lines}
            rowKey="at"
            names={['jobNo', 'realName', 'post', 'amount', 'phoneBillStatus', 'finishTime', 'signature']}
            headers={{ signature: t('phoneBill.signature') }}
            label={deptName}
            empty=""
          />
        </Section>
      ))}
    </>
  )
}

/** A month by department: what it comes to, and a sheet on which everybody signs. */
export const SheetDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  const sheets = useRef<HTMLDivElement>(null)
  const [month, setMonth] = useState<unknown>(eatDate(new Date()).slice(0, 7))
  const asked = monthField.safeParse(month).success ? { month: String(month) } : null
  const read = useRead(phoneBill.summary, asked)
  return (
    <ModalDialog
      open
      wide
      onClose={() => close()}
      title={t('actions.airtimeSheet')}
      differs={false}
      footer={
        <>
          <DialogCancel />
          <Button
            disabled={!read.data?.lines.length}
            onClick={() =>
              sheets.current &&
              print(
                sheets.current,
                `${t('actions.airtimeSheet')} ${month}`,
                'td:last-child{min-width:8em}section{break-after:page}',
              )
            }
          >
            {t('actions.print')}
          </Button>
        </>
      }
    >
      <Field name="month" schema={monthField} value={month} onChange={setMonth} />
      <div ref={sheets}>{asked && <Loaded read={read}>{data => <Sheets of={data} />}</Loaded>}</div>
    </ModalDialog>
  )
}
