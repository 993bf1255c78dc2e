import { useRef, useState } from 'react'
import { useRead } from '../../../../core/client/providers.tsx'
import { order } from '../../../../core/contract/order/order.ts'
import { type OrderSummary, orderBrief } from '../../../../core/contract/order/order-brief.ts'
import { useText } from '../../../../core/element/i18n.ts'
import { Facts, Section } from '../../../../core/engine/drawer/facts.tsx'
import { eatDateTime } from '../../../../core/rules/time.ts'
import { Button } from '../../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../../core/ui/overlay/modal-dialog.tsx'
import { print } from '../../../../core/ui/print.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { stripNames } from '../../../shared/strip-names.ts'
import { BasicSections } from '../basic-tab.tsx'
import { Bills, Records } from '../repayment-tab.tsx'

const PrintDialog = ({ summary, close }: { summary: OrderSummary; close: () => void }) => {
  const t = useText()
  const paper = useRef<HTMLDivElement>(null)
  const [printed] = useState(() => eatDateTime(new Date()))
  const { orderNo } = summary
  const basic = useRead(order.basic, { orderNo })
  const repayment = useRead(order.repayment, { orderNo })
  const title = `${t('fields.order')} ${orderNo}`
  return (
    <ModalDialog
      open
      wide
      onClose={close}
      title={title}
      differs={false}
      footer={
        <>
          <DialogCancel />
          <Button
            disabled={!basic.data || !repayment.data}
            onClick={() => paper.current && print(paper.current, title)}
          >
            {t('actions.print')}
          </Button>
        </>
      }
    >
      <div ref={paper} className="mk-stack">
        <Section title={`${title} · ${t('order.printedAt', { time: printed })}`}>
          <Facts schema={orderBrief.summary.output} value={summary} names={['orderStatus', ...stripNames(summary)]} />
        </Section>
        <Loaded read={basic}>{data => <BasicSections orderNo={orderNo} basic={data} />}</Loaded>
        <Loaded read={repayment}>
          {({ bills, records }) => (
            <>
              <Bills bills={bills} />
              <Records records={records} />
            </>
          )}
        </Loaded>
      </div>
    </ModalDialog>
  )
}

/** An order on paper: what is known of it, its plan and its records, masked as everybody sees them first. */
export const PrintOrder = ({ summary }: { summary: OrderSummary }) => {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="soft" color="gray" onClick={() => setOpen(true)}>
        {t('actions.print')}
      </Button>
      {open && <PrintDialog summary={summary} close={() => setOpen(false)} />}
    </>
  )
}
