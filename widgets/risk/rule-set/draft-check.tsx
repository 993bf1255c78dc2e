import { type KeyboardEvent, useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { ruleSet, type TriedRule } from '../../../core/contract/risk/rule-set.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { Put } from '../../../core/engine/screen.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Badge, Button, Callout, Flex, Text, TextField } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { ExpressionSection } from './expression/expression-section.tsx'

type Values = Readonly<Record<string, unknown>>
type RuleRow = { ruleNo: string; expression: string }
const colours = { hit: 'amber', miss: 'gray', unknown: 'red' } as const

const rulesOf = ({ rules }: Values): RuleRow[] => (Array.isArray(rules) ? (rules as RuleRow[]) : [])

/** What is wrong with one expression, with the place marked in it. */
const Flaw = ({ rule }: { rule: RuleRow }) => {
  const t = useText()
  const { data } = useRead(ruleSet.check, { expression: rule.expression })
  const flaw = data?.flaw
  if (!flaw) return null
  const { expression } = rule
  return (
    <Callout.Root size="1" color="red" mt="1">
      <Callout.Text>
        {rule.ruleNo}: {t.maybe(flaw.message)} – {flaw.detail}
        <br />
        <code>
          {expression.slice(0, flaw.start)}
          <mark>{expression.slice(flaw.start, flaw.end) || '␣'}</mark>
          {expression.slice(flaw.end)}
        </code>
      </Callout.Text>
    </Callout.Root>
  )
}

const Outcome = ({ outcome }: { outcome: TriedRule['outcome'] }) => {
  const t = useText()
  return <Badge color={colours[outcome]}>{dictText(t, 'RULE_RESULT', outcome)}</Badge>
}

const Tried = ({ ruleSetNo, orderNo, rules }: { ruleSetNo: string; orderNo: string; rules: unknown }) => {
  const t = useText()
  const read = useRead(ruleSet.tryOn, { ruleSetNo, orderNo, rules } as never)
  return (
    <Loaded read={read}>
      {({ list, riskDecision }) => (
        <>
          {riskDecision && (
            <Text as="p" size="2">
              {t('ruleSet.wouldBe', { decision: dictText(t, 'RISK_DECISION', riskDecision) })}
            </Text>
          )}
          <SmallTable
            schema={ruleSet.tryOn.output.shape.list.element}
            rows={list}
            rowKey="ruleNo"
            names={['ruleNo', 'outcome', 'parts', 'factValues']}
            empty=""
            label={t('ruleSet.try')}
            cells={{
              outcome: rule => <Outcome outcome={rule.outcome} />,
              parts: rule =>
                rule.parts.map(part => (
                  <Text as="p" size="1" key={part.text}>
                    <code>{part.text}</code> <Outcome outcome={part.outcome} />
                  </Text>
                )),
              factValues: rule => rule.factValues.map(one => `${one.fact} = ${one.value ?? '–'}`).join('; '),
            }}
          />
        </>
      )}
    </Loaded>
  )
}

/** Below the rules of a draft: what is wrong with them as they are typed, and what they would make of an order. */
export const DraftCheck = ({ ruleSetNo, values, put }: { ruleSetNo: string; values: Values; put: Put }) => {
  const t = useText()
  const [orderNo, setOrderNo] = useState('')
  const [tried, setTried] = useState<{ orderNo: string; rules: unknown } | null>(null)
  const rules = rulesOf(values)
  const run = () => orderNo && setTried({ orderNo, rules: structuredClone(values.rules) })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.ctrlKey) return
    event.preventDefault()
    run()
  }
  const putExpression = (at: number, expression: string) =>
    put(
      'rules',
      rules.map((rule, index) => (index === at ? { ...rule, expression } : rule)),
    )
  return (
    <>
      <ExpressionSection rules={rules} put={putExpression} />
      <section className="mk-section" aria-label={t('ruleSet.try')}>
        {rules
          .filter(rule => rule.expression)
          .map((rule, at) => (
            // Numbers may still be typed twice.
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other name while they are typed
            <Flaw key={at} rule={rule} />
          ))}
        <Flex gap="2" align="center" mt="2">
          <TextField.Root
            size="1"
            value={orderNo}
            aria-label={t('fields.orderNo')}
            placeholder={t('fields.orderNo')}
            onChange={event => setOrderNo(event.target.value.trim())}
            onKeyDown={onKeyDown}
          />
          <Button type="button" size="1" variant="soft" disabled={!orderNo || rules.length === 0} onClick={run}>
            {t('ruleSet.try')}
          </Button>
          <Text size="1" color="gray">
            {t('ruleSet.tryHint')}
          </Text>
        </Flex>
        {tried && <Tried ruleSetNo={ruleSetNo} {...tried} />}
      </section>
    </>
  )
}
