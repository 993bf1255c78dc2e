import { useState } from 'react'
import { fieldErrors } from '../../core/client/errors.ts'
import { useRead } from '../../core/client/providers.tsx'
import { field, metaOf } from '../../core/contract/fields.ts'
import { home } from '../../core/contract/portal/home.ts'
import { leave } from '../../core/contract/schedule/leave.ts'
import { useText } from '../../core/element/i18n.ts'
import { Input } from '../../core/engine/form/input.tsx'
import { useCommand } from '../../core/engine/form/use-command.ts'
import { leaveFlaw, leaveHours } from '../../core/rules/leave.ts'
import { parseEat } from '../../core/rules/time.ts'
import { Button, Flex, Text, TextField, VisuallyHidden } from '../../core/ui/basics.ts'
import { Select } from '../../core/ui/choose/select.tsx'
import { useKept } from '../../core/ui/kept.ts'
import { SegmentedControl } from '../../core/ui/more.ts'

const types = ['annual', 'sick', 'other'] as const
const quarters = Array.from(
  { length: 96 },
  (_, n) => `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`,
)
const dateMeta = metaOf(field.date())

type End = { date: string | undefined; time: string }
const instantOf = ({ date, time }: End) => (date ? parseEat(`${date} ${time}`) : null)

/** A day and a quarter hour of it, in EAT. */
const Moment = ({
  name,
  value,
  error,
  onChange,
}: {
  name: 'startTime' | 'endTime'
  value: End
  error?: string | undefined
  onChange: (value: End) => void
}) => {
  const t = useText()
  const label = t(`fields.${name}`)
  return (
    <div className="mk-field" role="group" aria-label={label}>
      <Text as="div" size="2" weight="medium">
        {label} <span className="mk-optional">EAT</span>
      </Text>
      <Flex gap="2">
        <VisuallyHidden id={`leave-${name}-day`}>{t('shell.leaveDay')}</VisuallyHidden>
        <Input
          tied={{
            id: `leave-${name}`,
            'aria-labelledby': `leave-${name}-day`,
            'aria-describedby': error ? `leave-${name}-error` : undefined,
            'aria-invalid': error ? true : undefined,
          }}
          label={t('shell.leaveDay')}
          meta={dateMeta}
          value={value.date}
          onChange={date => onChange({ ...value, date: date as string | undefined })}
        />
        <Select.Root value={value.time} onValueChange={time => onChange({ ...value, time })}>
          <Select.Trigger aria-label={t('shell.leaveTime')} />
          <Select.Content>
            {quarters.map(time => (
              <Select.Item key={time} value={time}>
                {time}
              </Select.Item>
            ))}
          </Select.Content>
        </Select.Root>
      </Flex>
      {error && (
        <Text id={`leave-${name}-error`} size="1" color="red" role="alert">
          {error}
        </Text>
      )}
    </div>
  )
}

/** What the form holds, how long the leave is, and its sending. */
const useLeaveForm = (sent: () => void) => {
  const t = useText()
  const { send, busy } = useCommand()
  const today = useRead(home.mine, { queue: 'leaves' }, { background: true }).data?.today
  const [leaveType, setType] = useKept<(typeof types)[number]>('leave/type', 'annual')
  const [start, setStart] = useKept<End>('leave/start', { date: undefined, time: '08:00' })
  const [end, setEnd] = useKept<End>('leave/end', { date: undefined, time: '17:00' })
  const [remark, setRemark] = useKept('leave/remark', '')
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [startTime, endTime] = [instantOf(start), instantOf(end)]
  const whole = startTime && endTime && startTime < endTime ? leaveHours(startTime, endTime) : null
  const changed = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      set(value)
      setErrors({})
    }
  }
  const apply = async () => {
    if (!startTime || !endTime)
      return setErrors({ [startTime ? 'endTime' : 'startTime']: t('validation.infoComplete') })
    const wrong = today && leaveFlaw({ leaveType, startTime, endTime }, today)
    if (wrong) return setErrors({ [wrong.at]: t(`validation.${wrong.flaw}`) })
    const outcome = await send(
      leave.apply,
      { leaveType, startTime, endTime, ...(remark.trim() ? { remark: remark.trim() } : {}) },
      { done: () => t('shell.leaveSent') },
    )
    if (outcome.is === 'refused') setErrors(fieldErrors(outcome.error))
    if (outcome.is !== 'done') return
    setStart({ ...start, date: undefined })
    setEnd({ ...end, date: undefined })
    setRemark('')
    sent()
  }
  const held = { leaveType, setType, start, setStart, end, setEnd, remark, setRemark }
  return { busy, today, whole, errors, changed, apply, ...held }
}
type Held = ReturnType<typeof useLeaveForm>

/** From when until when; the end begins on the day of the start. */
const Moments = ({
  start,
  setStart,
  end,
  setEnd,
  errors,
  changed,
}: Pick<Held, 'start' | 'setStart' | 'end' | 'setEnd' | 'errors' | 'changed'>) => (
  <>
    <Moment
      name="startTime"
      value={start}
      error={errors.startTime}
      onChange={changed(next => {
        setStart(next)
        if (next.date && !end.date) setEnd({ ...end, date: next.date })
      })}
    />
    <Moment name="endTime" value={end} error={errors.endTime} onChange={changed(setEnd)} />
  </>
)

const Remark = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const t = useText()
  return (
    <div className="mk-field">
      <Text as="label" size="2" weight="medium" htmlFor="leave-remark">
        {t('fields.remark')} <span className="mk-optional">{t('common.optional')}</span>
      </Text>
      <TextField.Root id="leave-remark" value={value} maxLength={30} onChange={event => onChange(event.target.value)} />
    </div>
  )
}

/** Asks for own leave; says how long it is before it is sent. */
export const LeaveForm = ({ sent }: { sent: () => void }) => {
  const t = useText()
  const { busy, today, leaveType, setType, whole, changed, apply, ...form } = useLeaveForm(sent)
  return (
    <div className="mk-form">
      <SegmentedControl.Root
        size="1"
        value={leaveType}
        aria-label={t('fields.leaveType')}
        onValueChange={changed(next => setType(next as typeof leaveType))}
      >
        {types.map(type => (
          <SegmentedControl.Item key={type} value={type}>
            {t(`dict.LEAVE_TYPE.${type}`)}
          </SegmentedControl.Item>
        ))}
      </SegmentedControl.Root>
      <Moments {...form} changed={changed} />
      <Remark value={form.remark} onChange={changed(form.setRemark)} />
      <Flex align="center" justify="between" gap="3">
        <Text size="2" color="gray" role="status">
          {whole !== null ? t('shell.leaveHours', { n: whole }) : today && t('shell.leaveToday', { date: today })}
        </Text>
        <Button loading={busy} onClick={() => void apply()}>
          {t('shell.leaveApply')}
        </Button>
      </Flex>
    </div>
  )
}
