import { useState } from 'react'
import type { z } from 'zod'
import { useRead } from '../../../core/client/providers.tsx'
import { type ReconItemRow, recon, type StatementLineRow } from '../../../core/contract/after-loan/reconciliation.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney, neg, sum } from '../../../core/rules/amount.ts'
import { Button, Callout, Checkbox, Flex } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Found = OutputOf<typeof recon.item>
const { shape } = recon.item.output
const most = 20

const signed = ({ lineDirection, amount }: StatementLineRow) => (lineDirection === 'in' ? amount : neg(amount))

type Picking = { picked: readonly string[]; pick: (no: string, on: boolean) => void }

type Candidate = { no: string; said: string; amount: string }
type CandidatesProps<R extends Candidate> = Picking & {
  schema: z.ZodType
  rows: readonly R[]
  names: readonly string[]
}

/** What stands open on the other side, to be ticked. */
const Candidates = <R extends Candidate>({ schema, rows, names, picked, pick }: CandidatesProps<R>) => {
  const t = useText()
  return (
    <SmallTable
      schema={schema}
      rows={rows}
      rowKey="no"
      names={['pick', ...names]}
      empty={t('recon.noCandidate')}
      cells={{
        pick: ({ no, said, amount }) => (
          <Checkbox
            checked={picked.includes(no)}
            onCheckedChange={on => pick(no, on === true)}
            aria-label={t('recon.choose', { no: said, amount: formatMoney(amount) })}
          />
        ),
      }}
    />
  )
}

/** What is matched with what: the difference's own side, and what was ticked on the other. */
const sidesOf = (found: Found, picked: readonly string[]) => {
  const { line, booking, bookings, lines } = found
  const theirs = line ? [line] : lines.filter(one => picked.includes(one.lineNo))
  const ours = line ? bookings.filter(one => picked.includes(one.journalNo)) : booking ? [booking] : []
  return {
    lineNos: theirs.map(one => one.lineNo),
    journalNos: ours.map(one => Number(one.journalNo)),
    said: sum(theirs.map(signed)),
    booked: sum(ours.map(one => one.amount)),
  }
}

const Form = ({ found, close }: { found: Found; close: (changed?: boolean) => void }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [picked, setPicked] = useState<readonly string[]>(() => {
    const same = found.line
      ? found.bookings.filter(one => one.amount === signed(found.line as StatementLineRow)).map(one => one.journalNo)
      : found.lines.filter(one => signed(one) === found.booking?.amount).map(one => one.lineNo)
    return same.length === 1 ? same : []
  })
  const picking = {
    picked,
    pick: (no: string, on: boolean) =>
      setPicked(on ? [...picked, no].slice(0, most) : picked.filter(one => one !== no)),
  }
  const { lineNos, journalNos, said, booked } = sidesOf(found, picked)
  const fits = lineNos.length > 0 && journalNos.length > 0 && said === booked
  const submit = async () => {
    const outcome = await send(recon.match, { lineNos, journalNos }, { ids: lineNos })
    if (outcome.is === 'done') close(true)
  }
  return (
    <div className="mk-form">
      {found.line ? (
        <Candidates
          schema={shape.bookings.element}
          rows={found.bookings.map(one => ({ ...one, no: one.journalNo, said: one.journalNo }))}
          names={['journalNo', 'postingCode', 'amount', 'postedTime', 'loanCode', 'flowNo']}
          {...picking}
        />
      ) : (
        <Candidates
          schema={shape.lines.element}
          rows={found.lines.map(one => ({ ...one, no: one.lineNo, said: one.serialNo }))}
          names={['serialNo', 'lineDirection', 'amount', 'entryTime', 'reference', 'narrative']}
          {...picking}
        />
      )}
      <Callout.Root size="1" color={fits ? 'green' : 'gray'} role="status">
        <Callout.Text>
          {t('recon.sums', {
            lines: lineNos.length,
            said: formatMoney(said),
            bookings: journalNos.length,
            booked: formatMoney(booked),
          })}
        </Callout.Text>
      </Callout.Root>
      <Flex justify="end" gap="2">
        <DialogCancel />
        <Button disabled={!fits} loading={busy} onClick={() => void submit()}>
          {t('actions.matchItem')}
        </Button>
      </Flex>
    </div>
  )
}

/** Says that lines of a statement and bookings are the same money: both sides add up to the same. */
export const MatchItemDialog = ({ rows: [row], close }: DialogProps<ReconItemRow>) => {
  const t = useText()
  const read = useRead(recon.item, { reconItemNo: row.reconItemNo })
  return (
    <ModalDialog open wide onClose={() => close()} title={t('actions.matchItem')} description={t('recon.matchHint')}>
      <Loaded read={read}>{found => <Form key={found.item.version} found={found} close={close} />}</Loaded>
    </ModalDialog>
  )
}
