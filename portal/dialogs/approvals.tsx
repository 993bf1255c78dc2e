import { lazy, Suspense, useState } from 'react'
import { refresh, useRead } from '../../core/client/providers.tsx'
import { common } from '../../core/contract/common/common.ts'
import type { RowOf } from '../../core/contract/endpoint.ts'
import { home } from '../../core/contract/portal/home.ts'
import { message } from '../../core/contract/portal/message.ts'
import { useText } from '../../core/element/i18n.ts'
import { ApprovalBox } from '../../core/engine/form/approval-box.tsx'
import { Dict } from '../../core/engine/table/value.tsx'
import { eatDateTime } from '../../core/rules/time.ts'
import { Flex, Text } from '../../core/ui/basics.ts'
import { SegmentedControl, Switch } from '../../core/ui/more.ts'
import { Pager } from '../../core/ui/pager.tsx'
import { Empty } from '../../core/ui/states.tsx'
import { LeaveToCheck, useLeavesToCheck } from './leaves-to-check.tsx'
import { ReadState } from './read-state.tsx'

const ImportToCheck = lazy(async () => ({ default: (await import('./import-to-check.tsx')).ImportToCheck }))
const pageSize = 10
const boxes = ['toCheck', 'mine'] as const

type WaitingProps = { approval: RowOf<typeof common.approvals>; go: (path: string) => void }

/** One request, with what is in the file that it would take in. */
const Waiting = ({ approval, go }: WaitingProps) => {
  const t = useText()
  const { objectNo } = approval
  return (
    <section aria-label={objectNo}>
      <Flex align="center" gap="2" mb="1">
        {approval.approvalStatus === 'pending' ? (
          <Text size="1" color="gray">
            {t('shell.expires', { time: eatDateTime(approval.expireTime) })}
          </Text>
        ) : (
          <>
            <Dict dict="APPROVAL_STATUS" value={approval.approvalStatus} />
            <Text size="1" color="gray">
              {[approval.checkerName, approval.finishTime && eatDateTime(approval.finishTime), approval.reason]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </>
        )}
      </Flex>
      {approval.objectType === 'import' && (
        <Suspense fallback={null}>
          <ImportToCheck importNo={objectNo} />
        </Suspense>
      )}
      <ApprovalBox
        approval={approval}
        go={go}
        onChange={() => refresh(common.approvals, message.page, message.count, home.mine)}
      />
    </section>
  )
}

const DecidedToo = ({ on, choose }: { on: boolean; choose: (on: boolean) => void }) => {
  const t = useText()
  return (
    <Text as="label" size="2">
      <Flex align="center" gap="2">
        <Switch size="1" checked={on} onCheckedChange={choose} />
        {t('shell.decidedToo')}
      </Flex>
    </Text>
  )
}

/** Requests that wait for the reader, and the reader's own ones that still wait. */
export const Approvals = ({ go }: { go: (path: string) => void }) => {
  const t = useText()
  const [box, setBox] = useState<(typeof boxes)[number]>('toCheck')
  const [pageNum, setPageNum] = useState(1)
  const [decided, setDecided] = useState(false)
  const whole = box === 'mine' && decided
  const only = whole ? {} : { approvalStatus: ['pending' as const] }
  const read = useRead(common.approvals, { box, ...only, pageNum, pageSize }, { background: true })
  const leaves = useLeavesToCheck(box === 'toCheck')
  const words = { toCheck: t('shell.approvalsToCheck'), mine: t('shell.approvalsMine') }
  return (
    <>
      <Flex my="3" gap="4" align="center">
        <SegmentedControl.Root
          size="1"
          value={box}
          aria-label={t('shell.approvals')}
          onValueChange={next => {
            setBox(next as typeof box)
            setPageNum(1)
          }}
        >
          {boxes.map(one => (
            <SegmentedControl.Item key={one} value={one}>
              {words[one]}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
        {box === 'mine' && (
          <DecidedToo
            on={decided}
            choose={on => {
              setDecided(on)
              setPageNum(1)
            }}
          />
        )}
      </Flex>
      <ReadState read={read}>
        {({ list, total }) =>
          list.length || leaves.length ? (
            <>
              {leaves.map(row => (
                <LeaveToCheck key={row.leaveNo} row={row} />
              ))}
              {list.map(approval => (
                <Waiting key={approval.approvalNo} approval={approval} go={go} />
              ))}
              {total > pageSize && <Pager page={pageNum} pages={Math.ceil(total / pageSize)} go={setPageNum} />}
            </>
          ) : (
            <Empty title={t('shell.noApprovals')} hint={t('shell.noApprovalsHint')} />
          )
        }
      </ReadState>
    </>
  )
}
