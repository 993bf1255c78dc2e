import { useState } from 'react'
import { useMay, useRead } from '../../core/client/providers.tsx'
import { auditAllot, type Candidate } from '../../core/contract/audit/allotment.ts'
import type { Results } from '../../core/contract/endpoint.ts'
import { useText } from '../../core/element/i18n.ts'
import { RefusedRows } from '../../core/engine/form/refused-rows.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { LeftOutRows } from '../../core/engine/list/chosen/left-out.tsx'
import type { DialogProps } from '../../core/engine/screen.ts'
import { listed } from '../../core/engine/table/columns.ts'
import { formatMoney, sum } from '../../core/rules/amount.ts'
import { Button, Callout, Checkbox, Text } from '../../core/ui/basics.ts'
import { useKept } from '../../core/ui/kept.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { Failed, Loading } from '../../core/ui/states.tsx'

type Row = { orderNo: string; loanAmount: string; leaseLive: boolean; auditorName: string | null }

const Auditor = ({
  candidate,
  total,
  chosen,
  toggle,
}: {
  candidate: Candidate
  total: number
  chosen: boolean
  toggle: () => void
}) => {
  const t = useText()
  const off = candidate.fitting === 0
  return (
    <label className="mk-option" data-off={off || undefined} htmlFor={`auditor-${candidate.userNo}`}>
      <Checkbox id={`auditor-${candidate.userNo}`} checked={chosen} disabled={off} onCheckedChange={toggle} />
      <span className="mk-grow">
        {candidate.realName}{' '}
        <span className="mk-muted">
          {candidate.groupNo}
          {candidate.aiEmployee ? ` · ${t('audit.ai')}` : ''}
        </span>
        {candidate.reason && (
          <Text as="div" size="1" color="gray">
            {candidate.reason}
          </Text>
        )}
      </span>
      <span className="mk-muted">
        {candidate.openCount} / {candidate.queueCap}
      </span>
      <span className="mk-muted">{off ? '–' : t('audit.canTake', { n: candidate.fitting, total })}</span>
    </label>
  )
}

/** Who is chosen, and the orders that somebody works on right now. */
const useAllot = (rows: readonly Row[], close: (changed?: boolean) => void) => {
  const { send, busy } = useCommand()
  const may = useMay()
  const [picked, setPicked] = useKept<readonly string[]>(`allot/${rows.map(row => row.orderNo).join()}`, [])
  const chosen = new Set(picked)
  const [refused, setRefused] = useState<Results | null>(null)
  const orderNos = rows.map(row => row.orderNo)
  const read = useRead(auditAllot.allotAuditors, { orderNos })
  const live = rows.filter(row => row.leaseLive)
  const force = live.length > 0 && may.have('audit:order:forceAllot')
  const names = (read.data?.list ?? []).filter(one => chosen.has(one.userNo)).map(one => one.realName)

  const toggle = (userNo: string) => {
    const next = new Set(chosen)
    if (!next.delete(userNo)) next.add(userNo)
    setPicked([...next])
  }
  const allot = async () => {
    const input = { orderNos, auditorNos: [...chosen], ...(force ? { force } : {}) }
    const outcome = await send(auditAllot.allot, input, { ids: orderNos })
    if (outcome.is !== 'done') return
    if (outcome.answer.fail) setRefused(outcome.answer)
    else close(true)
  }
  return { read, live, names, chosen, toggle, allot, busy, refused }
}

/** Gives the chosen orders to one auditor, or evenly to several; who cannot take them stands grey with the reason. */
export const AllotDialog = ({ rows, left = [], close }: DialogProps<Row>) => {
  const t = useText()
  const { read, live, names, chosen, toggle, allot, busy, refused } = useAllot(rows, close)
  const { data, error, retry } = read
  if (refused) return <RefusedRows results={refused} close={() => close(true)} />
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.allot')}
      description={t('audit.confirmAllot', {
        n: rows.length,
        amount: formatMoney(sum(rows.map(row => row.loanAmount))),
        names: listed(t, names) || '–',
      })}
      footer={
        <>
          <DialogCancel />
          <Button disabled={chosen.size === 0} loading={busy} onClick={() => void allot()}>
            {t('common.actionOn', { action: t('actions.allot'), n: rows.length })}
          </Button>
        </>
      }
    >
      <LeftOutRows left={left} />
      {live.length > 0 && (
        <Callout.Root color="amber" size="1" mb="2">
          <Callout.Text>
            {t('audit.workingNow', {
              names: listed(t, [...new Set(live.flatMap(row => row.auditorName ?? []))]),
              n: live.length,
            })}
          </Callout.Text>
        </Callout.Root>
      )}
      {error ? (
        <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
      ) : !data ? (
        <Loading rows={5} />
      ) : (
        <div className="mk-options">
          {data.list.map(candidate => (
            <Auditor
              key={candidate.userNo}
              candidate={candidate}
              total={rows.length}
              chosen={chosen.has(candidate.userNo)}
              toggle={() => toggle(candidate.userNo)}
            />
          ))}
        </div>
      )}
    </ModalDialog>
  )
}
