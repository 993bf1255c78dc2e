import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import { businessConfig, type Holiday } from '../../../core/contract/common/business-config.ts'
import { common } from '../../../core/contract/common/common.ts'
import { useText } from '../../../core/element/i18n.ts'
import { ApprovalBox } from '../../../core/engine/form/approval-box.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import { eatDate } from '../../../core/rules/time.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { Failed, Loading } from '../../../core/ui/states.tsx'
import { AddHoliday, ImportHolidays } from './holiday-dialogs.tsx'

const key = { configKey: 'PUBLIC_HOLIDAYS' } as const
/** The calendar and what waits of it; a change is sent whole. */
const useCalendar = () => {
  const t = useText()
  const [wrong, setWrong] = useState<string | null>(null)
  const { send, busy } = useCommand()
  const read = useRead(businessConfig.get, key)
  const waiting = useRead(common.approvals, {
    objectType: 'businessConfig',
    objectNo: key.configKey,
    approvalStatus: ['pending' as const],
  })
  const again = () => Promise.all([read.retry(), waiting.retry()])
  const change = async (version: number, value: Holiday[]): Promise<boolean> => {
    setWrong(null)
    const sorted = [...value].sort((a, b) => (a.date < b.date ? -1 : 1))
    const outcome = await send(
      businessConfig.update,
      { ...key, version, value: sorted },
      {
        done: () => t('config.sentForApproval'),
      },
    )
    if (outcome.is === 'refused') setWrong(outcome.error.message)
    if (outcome.is === 'unanswered') setWrong(t('common.noAnswer'))
    if (outcome.is !== 'done') return false
    await again()
    return true
  }
  return { read, waiting, send: change, busy, wrong, again }
}

type YearProps = {
  year: number
  setYear: (year: number) => void
  mayChange: boolean
  ask: (what: 'one' | 'many') => void
  pending: string | null
}

const YearLine = ({ year, setYear, mayChange, ask, pending }: YearProps) => {
  const t = useText()
  const may = useMay()
  return (
    <Flex gap="2" align="center" mb="3">
      <Button size="1" variant="soft" color="gray" onClick={() => setYear(year - 1)}>
        ‹ {year - 1}
      </Button>
      <Text weight="medium">
        {t('holidays.year')} {year}
      </Text>
      <Button size="1" variant="soft" color="gray" onClick={() => setYear(year + 1)}>
        {year + 1} ›
      </Button>
      {may.call(businessConfig.update) && (
        <>
          <Button size="1" disabled={!mayChange} onClick={() => ask('one')}>
            {t('holidays.add')}
          </Button>
          <Button size="1" variant="soft" disabled={!mayChange} onClick={() => ask('many')}>
            {t('holidays.import')}
          </Button>
        </>
      )}
      {pending && <Text size="1">{t('config.pendingBy', { name: pending })}</Text>}
    </Flex>
  )
}

type DaysProps = {
  days: readonly Holiday[]
  today: string
  off: boolean
  busy: boolean
  remove: (day: Holiday) => void
}

const Days = ({ days, today, off, busy, remove }: DaysProps) => {
  const t = useText()
  return (
    <div className="mk-small">
      <table>
        <thead>
          <tr>
            {['date', 'name', 'closed'].map(name => (
              <th key={name} scope="col">
                {t(`fields.${name}` as 'fields.date')}
              </th>
            ))}
            <th scope="col">{t('holidays.remove')}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(one => (
            <tr key={one.date}>
              <th scope="row">{one.date}</th>
              <td>{one.name[t.language as 'zh' | 'en' | 'sw'] ?? one.name.en}</td>
              <td>{t(one.closed ? 'common.yes' : 'common.no')}</td>
              <td>
                <Button
                  size="1"
                  variant="ghost"
                  color="red"
                  loading={busy}
                  disabled={off || one.date <= today}
                  aria-label={`${t('holidays.remove')} ${one.date}`}
                  onClick={() => remove(one)}
                >
                  {t('holidays.remove')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The one calendar of public holidays, by year; each change waits for a second person. */
export const Holidays = () => {
  const t = useText()
  const may = useMay()
  const today = eatDate(new Date())
  const [year, setYear] = useState(Number(today.slice(0, 4)))
  const [asked, setAsked] = useState<'one' | 'many' | null>(null)
  const { read, waiting, send, busy, wrong, again } = useCalendar()
  if (!read.data)
    return read.error ? (
      <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
    ) : (
      <Loading rows={4} />
    )
  const { version, pendingApproval } = read.data
  const all = (read.data.value ?? []) as Holiday[]
  const put = async (value: Holiday[]) => {
    if (await send(version, value)) setAsked(null)
  }
  const mayChange = may.call(businessConfig.update) && !pendingApproval
  const ofYear = all.filter(one => one.date.startsWith(String(year)))
  const add = (added: Holiday[]) => void put([...all, ...added])
  const dialog = { busy, wrong, send: add, close: () => setAsked(null) }
  return (
    <div className="mk-section">
      <YearLine year={year} setYear={setYear} mayChange={mayChange} ask={setAsked} pending={pendingApproval} />
      {waiting.data?.list.map(approval => (
        <ApprovalBox key={approval.approvalNo} approval={approval} onChange={() => void again()} />
      ))}
      {ofYear.length === 0 && <Text color="gray">{t('holidays.none', { year: String(year) })}</Text>}
      {ofYear.length > 0 && (
        <Days
          days={ofYear}
          today={today}
          off={!mayChange}
          busy={busy}
          remove={one => void put(all.filter(each => each !== one))}
        />
      )}
      {wrong && !asked && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{wrong}</Callout.Text>
        </Callout.Root>
      )}
      {asked === 'one' && <AddHoliday {...dialog} />}
      {asked === 'many' && <ImportHolidays {...dialog} known={all} />}
    </div>
  )
}
