import type { ReactNode } from 'react'
import type { z } from 'zod'
import { Attempt } from '../../../core/contract/after-loan/loan.ts'
import { ConfirmRow } from '../../../core/contract/charge/refund-rows.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Dict } from '../../../core/engine/table/value.tsx'
import { eatDateTime } from '../../../core/rules/time.ts'
import { SmallTable } from '../small-table.tsx'

type SendsProps = {
  title: string
  empty: string
  attempts: readonly z.output<typeof Attempt>[]
  confirms: readonly z.output<typeof ConfirmRow>[]
}

/** Every time the money was sent, with what the channel answered, and what two persons confirmed of it. */
export const Sends = ({ title, empty, attempts, confirms }: SendsProps) => (
  <Section title={title}>
    <SmallTable
      schema={Attempt}
      rows={attempts}
      rowKey="externalId"
      names={[
        'attemptNo',
        'attemptStatus',
        'sentTime',
        'answerTime',
        'answerCode',
        'answerMessage',
        'serialNo',
        'nextQueryTime',
      ]}
      empty={empty}
    />
    {confirms.length > 0 && (
      <SmallTable
        schema={ConfirmRow}
        rows={confirms}
        rowKey="confirmNo"
        names={['confirmStatus', 'result', 'serialNo', 'firstName', 'firstTime', 'secondName', 'secondTime']}
        empty=""
      />
    )}
  </Section>
)

type Step = { at: string; machine: string; event: string; actorName: string; from: string; to: string }
type HistoryProps = {
  title: string
  history: readonly Step[]
  /** What an event is called; undefined for the words of its machine. */
  nameOf?: (step: Step) => string | undefined
  /** The dictionary of the states of a machine. */
  dictOf: (machine: string) => string
}

/** What happened to a record, in the order it happened. */
export const History = ({ title, history, nameOf, dictOf }: HistoryProps) => {
  const t = useText()
  const name = (step: Step): ReactNode => nameOf?.(step) ?? t.maybe(`machines.${step.event}`) ?? step.event
  return (
    <Section title={title}>
      <ol className="mk-steps">
        {history.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what happened never changes, and may be alike
          <li key={`${one.at}${one.event}${index}`}>
            <time dateTime={one.at}>{eatDateTime(one.at)}</time>
            <div>
              <b>{name(one)}</b>{' '}
              <span className="mk-muted">{one.actorName === 'system' ? t('order.system') : one.actorName}</span>{' '}
              {one.to !== one.from && <Dict dict={dictOf(one.machine)} value={one.to} />}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}
