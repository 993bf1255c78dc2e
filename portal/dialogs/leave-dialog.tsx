import { useState } from 'react'
import { refresh, useRead } from '../../core/client/providers.tsx'
import { type LeaveRow, leave } from '../../core/contract/schedule/leave.ts'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import sheet from '../../core/engine/engine.css?sheet'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { Dict } from '../../core/engine/table/value.tsx'
import { leaveHours } from '../../core/rules/leave.ts'
import { eatDateTime } from '../../core/rules/time.ts'
import { Button, Flex, Text } from '../../core/ui/basics.ts'
import { ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { Pager } from '../../core/ui/pager.tsx'
import { LeaveForm } from './leave-form.tsx'
import { ReadState } from './read-state.tsx'

const perPage = 5
const reload = () => refresh(leave.page)

/** From when to when, and how long that is. */
export const LeaveTimes = ({ row }: { row: Pick<LeaveRow, 'startTime' | 'endTime'> }) => {
  const t = useText()
  const [start, end] = [row.startTime, row.endTime].map(at => eatDateTime(at).slice(0, 16))
  return `${start} – ${end} · ${t('shell.leaveHours', { n: leaveHours(row.startTime, row.endTime) })}`
}

const Application = ({ row }: { row: LeaveRow }) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [asking, setAsking] = useState(false)
  const { leaveNo, version } = row
  const cancel = async () => {
    const outcome = await send(leave.cancel, { leaveNo, version }, { ids: [leaveNo] })
    if (outcome.is !== 'unanswered') await reload()
    setAsking(false)
  }
  return (
    <li className="mk-notice" aria-label={leaveNo}>
      <Flex align="center" gap="2">
        <b>{t(`dict.LEAVE_TYPE.${row.leaveType}`)}</b>
        <Dict dict="LEAVE_STATUS" value={row.leaveStatus} />
        <Flex ml="auto" gap="2">
          {asking ? (
            <>
              <Button size="1" variant="soft" color="gray" onClick={() => setAsking(false)}>
                {t('shell.leaveKeep')}
              </Button>
              <Button size="1" color="red" loading={busy} onClick={() => void cancel()}>
                {t('shell.leaveCancelSure')}
              </Button>
            </>
          ) : (
            row.cancellable && (
              <Button size="1" variant="soft" color="gray" onClick={() => setAsking(true)}>
                {t('shell.leaveCancel')}
              </Button>
            )
          )}
        </Flex>
      </Flex>
      <Text as="p" size="2">
        <LeaveTimes row={row} />
      </Text>
      {(row.remark || row.auditorName) && (
        <Text as="p" size="1" color="gray">
          {[row.remark, row.auditorName, row.auditRemark].filter(Boolean).join(' · ')}
        </Text>
      )}
    </li>
  )
}

/** The own applications, five at a time of pages of ten. */
const Applications = () => {
  const t = useText()
  const [page, setPage] = useState(1)
  const read = useRead(leave.page, { pageNum: Math.ceil(page / 2), pageSize: 10 }, { background: true })
  return (
    <ReadState read={read}>
      {({ list, total }) => {
        const from = ((page - 1) % 2) * perPage
        return total ? (
          <>
            <ul className="mk-notices" aria-label={t('shell.leaveMine')}>
              {list.slice(from, from + perPage).map(row => (
                <Application key={row.leaveNo} row={row} />
              ))}
            </ul>
            {total > perPage && <Pager page={page} pages={Math.ceil(total / perPage)} go={setPage} />}
          </>
        ) : (
          <Text size="2" color="gray">
            {t('shell.leaveNone')}
          </Text>
        )
      }}
    </ReadState>
  )
}

/** Asks for leave, and shows earlier requests with their state. */
export const LeaveDialog = ({ close }: { close: () => void }) => {
  useSheet(sheet)
  const t = useText()
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('shell.leave')}
      footer={
        <Button variant="soft" color="gray" onClick={close}>
          {t('common.close')}
        </Button>
      }
    >
      <LeaveForm sent={reload} />
      <Text as="p" size="2" weight="medium" mt="4" mb="1">
        {t('shell.leaveMine')}
      </Text>
      <Applications />
    </ModalDialog>
  )
}
