import { auditAllot } from '../../core/contract/audit/allotment.ts'
import { type AuditPersonRow, auditPerson, auditPersons } from '../../core/contract/audit/person.ts'
import type { Personnel } from '../../core/contract/common/personnel.ts'
import type { Act, Action } from '../../core/engine/screen.ts'
import { Load } from '../shared/personnel/load.tsx'
import { personnelScreen } from '../shared/personnel/personnel-screen.tsx'
import { AuditorWork } from './auditor-work.tsx'

const act: Act<AuditPersonRow> = (run, action) => ({ run, ...action }) as never

/** Off duty at once, and back to what shifts say; the queue of somebody who is away. */
const actions: readonly Action<AuditPersonRow>[] = [
  act(auditPerson.batchUpdate, {
    label: 'actions.offDuty',
    input: ([row]) => ({ userNos: [row?.userNo ?? ''], shiftOverride: 'off' }),
    when: row => row.shiftOverride !== 'off',
    confirm: 'auditPerson.confirmOff',
  }),
  act(auditPerson.batchUpdate, {
    label: 'actions.byShift',
    input: ([row]) => ({ userNos: [row?.userNo ?? ''], shiftOverride: 'scheduled' }),
    when: row => row.shiftOverride !== 'scheduled',
    confirm: 'auditPerson.confirmByShift',
  }),
  act(auditAllot.unallot, {
    label: 'actions.releaseQueue',
    tone: 'danger',
    input: ([row]) => ({ auditorNo: row?.userNo ?? '' }),
    when: row => row.openCount > 0,
    confirm: 'auditPerson.confirmRelease',
  }),
]

/** The audit supervisor says who reviews what, how much of it and from when. */
export default personnelScreen({
  personnel: auditPersons as unknown as Personnel,
  filters: ['search', 'groupNo', 'merchantNo', 'onShift', 'autoAllocation', 'acceptFirst', 'acceptRepeat'],
  columns: [
    'acceptFirst',
    'acceptRepeat',
    {
      id: 'openCount',
      width: 150,
      cell: ({ openCount, queueCap }: AuditPersonRow) => <Load open={openCount} cap={queueCap} />,
    },
    'approvalCap',
    'auditStepMax',
    'doneToday',
  ] as never,
  more: ['queueCap', 'shiftOverride', 'liveCount'],
  row: actions as never,
  tabs: [{ name: 'work', label: 'auditPerson.work', body: row => <AuditorWork userNo={String(row.userNo)} /> }],
  also: [auditPerson.work],
})
