import { addDays, startOfEatDay } from '../../core/rules/time.ts'
import type { Tx } from '../db/database.ts'
import { newNo } from '../money/numbers.ts'
import { writeAudit } from '../rights/audit-rows.ts'
import { create } from '../states/transition.ts'
import { writeAnnouncements } from './announcements.ts'
import { writeDemoLanguages } from './languages.ts'
import { writeSignInPolicy, writeVerifyCodes } from './messages/verify-codes.ts'
import { writePeople } from './people.ts'
import { writeMenuExtras, writeRoles } from './roles.ts'
import { userNoOf } from './staff.ts'
import { writeWarnings } from './warnings.ts'

/** An auditor who wants two days off next week. */
const askForLeave = async (tx: Tx) => {
  const userNo = userNoOf('auditor2')
  const first = addDays(tx.today, 7)
  const at = (date: string, hours: number) => new Date(Date.parse(startOfEatDay(date)) + hours * 3_600_000)
  const values = {
    leaveNo: newNo('LV', tx.now),
    userNo,
    leaveType: 'annual',
    startTime: at(first, 8),
    endTime: at(addDays(first, 1), 17),
    remark: 'Family wedding in Mbale',
    createdBy: userNo,
    createdTime: new Date(tx.now.getTime() - 3 * 3_600_000),
  }
  const actor = { no: userNo, name: 'Isaac Mugisha', requestId: 'demo leave', ip: null }
  await create(tx, 'leave', values, { event: 'leave.apply', as: 'own' }, actor)
  writeAudit(tx, { action: 'leave.apply', path: '', actor }, [{ objectType: 'leave', objectNo: values.leaveNo }])
}

/** Announcements to the staff, and what one of them asks for. */
export const writeOffice = async (tx: Tx): Promise<void> => {
  await writeAnnouncements(tx, {
    no: userNoOf('admin'),
    name: 'Grace Nakato',
    requestId: 'demo announcements',
    ip: null,
  })
  await askForLeave(tx)
  await writeRoles(tx)
  await writeMenuExtras(tx)
  await writePeople(tx)
  await writeDemoLanguages(tx)
  await writeWarnings(tx)
  await writeVerifyCodes(tx)
  await writeSignInPolicy(tx)
}
