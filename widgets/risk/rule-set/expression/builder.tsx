import { useState } from 'react'
import { type Translate, useText } from '../../../../core/element/i18n.ts'
import { useSheet } from '../../../../core/element/styles.ts'
import {
  type Built,
  type BuiltGroup,
  type BuiltRow,
  bareOperators,
  isGroup,
  type Joins,
  operatorsOf,
  type RowOperator,
  writeBuilt,
} from '../../../../core/rules/risk/builder.ts'
import { type FactKey, factKeys, riskFacts } from '../../../../core/rules/risk/facts.ts'
import { Button, Flex, IconButton, TextField } from '../../../../core/ui/basics.ts'
import { Choose } from '../../../../core/ui/choose/choose.tsx'
import { Icon } from '../../../../core/ui/icons.tsx'
import { SegmentedControl } from '../../../../core/ui/more.ts'
import sheet from './expression.css?sheet'

const signs: Partial<Record<RowOperator, string>> = { '==': '=', '!=': '≠', '<': '<', '<=': '≤', '>': '>', '>=': '≥' }
const operatorText = (t: Translate, operator: RowOperator) =>
  signs[operator] ??
  t(`ruleSet.op.${operator as 'in' | 'startsWith' | 'yes' | 'no' | 'onList' | 'offList' | 'known' | 'unknown'}`)
const factText = (t: Translate, fact: FactKey) => t.maybe(`ruleFact.${fact}`) ?? fact
const fresh: BuiltRow = { fact: 'customer.age', operator: '<', value: '' }

const chooseWords = (t: Translate) => ({
  search: t('common.search'),
  none: t('common.noMatch'),
  clear: t('common.clear'),
  choose: t('common.choose'),
})

type RowProps = { n: number; row: BuiltRow; put: (row: BuiltRow) => void; remove: () => void }

/** One comparison: a fact, how it compares, and with what. */
const Row = ({ n, row, put, remove }: RowProps) => {
  const t = useText()
  const operators = operatorsOf[riskFacts[row.fact].type]
  const withFact = (fact: FactKey): BuiltRow => {
    const [first] = operatorsOf[riskFacts[fact].type] as [RowOperator]
    return operatorsOf[riskFacts[fact].type].includes(row.operator)
      ? { ...row, fact }
      : { fact, operator: first, value: '' }
  }
  return (
    <div className="mk-built-row" role="group" aria-label={t('ruleSet.condition', { n })}>
      <Choose
        single
        label={t('ruleSet.fact')}
        options={factKeys.map(fact => ({ value: fact, label: `${factText(t, fact)} · ${fact}` }))}
        value={[row.fact]}
        onChange={([fact]) => fact && put(withFact(fact as FactKey))}
        words={chooseWords(t)}
      />
      <Choose
        single
        label={t('ruleSet.operator')}
        options={operators.map(operator => ({ value: operator, label: operatorText(t, operator) }))}
        value={[row.operator]}
        onChange={([operator]) => operator && put({ ...row, operator: operator as RowOperator })}
        words={chooseWords(t)}
      />
      {bareOperators.includes(row.operator) ? (
        <span />
      ) : (
        <TextField.Root
          size="2"
          aria-label={t('ruleSet.value')}
          placeholder={row.operator === 'in' ? 'a, b' : undefined}
          value={row.value}
          onChange={event => put({ ...row, value: event.target.value })}
        />
      )}
      <IconButton
        type="button"
        variant="ghost"
        color="gray"
        aria-label={t('ruleSet.removeCondition', { n })}
        onClick={remove}
      >
        <Icon name="close" size={14} />
      </IconButton>
    </div>
  )
}

const JoinChoice = ({ joins, put }: { joins: Joins; put: (joins: Joins) => void }) => {
  const t = useText()
  return (
    <SegmentedControl.Root
      size="1"
      value={joins}
      onValueChange={next => put(next as Joins)}
      aria-label={t('ruleSet.joins')}
    >
      <SegmentedControl.Item value="all">{t('ruleSet.joinsAll')}</SegmentedControl.Item>
      <SegmentedControl.Item value="any">{t('ruleSet.joinsAny')}</SegmentedControl.Item>
    </SegmentedControl.Root>
  )
}

const Add = ({ label, add }: { label: string; add: () => void }) => (
  <Button type="button" size="1" variant="soft" onClick={add}>
    {label}
  </Button>
)

const replaced = <T,>(all: readonly T[], at: number, one: T): T[] => all.map((old, index) => (index === at ? one : old))
const removed = <T,>(all: readonly T[], at: number): T[] => all.filter((_, index) => index !== at)

type GroupProps = { n: number; group: BuiltGroup; put: (group: BuiltGroup) => void; remove: () => void }

const Group = ({ n, group, put, remove }: GroupProps) => {
  const t = useText()
  const { joins, rows } = group
  return (
    <fieldset className="mk-built-group" aria-label={t('ruleSet.group', { n })}>
      <JoinChoice joins={joins} put={next => put({ ...group, joins: next })} />
      {rows.map((row, at) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own
          key={at}
          n={at + 1}
          row={row}
          put={one => put({ ...group, rows: replaced(rows, at, one) })}
          remove={() => (rows.length > 1 ? put({ ...group, rows: removed(rows, at) }) : remove())}
        />
      ))}
      <Add label={t('ruleSet.addCondition')} add={() => put({ ...group, rows: [...rows, fresh] })} />
    </fieldset>
  )
}

/** Conditions as rows, joined by all or any, with groups one level deep; each change writes the expression. */
export const Builder = ({ built, onChange }: { built: Built; onChange: (text: string) => void }) => {
  const t = useText()
  useSheet(sheet)
  // Rows that are not whole yet write no rule, so that they are kept here.
  const [now, setNow] = useState(built)
  const { joins, parts } = now
  const put = (next: Built) => {
    setNow(next)
    onChange(writeBuilt(next))
  }
  const putPart = (at: number, part: BuiltRow | BuiltGroup) => put({ joins, parts: replaced(parts, at, part) })
  const remove = (at: number) => put({ joins, parts: removed(parts, at) })
  return (
    <div>
      <JoinChoice joins={joins} put={next => put({ ...now, joins: next })} />
      {parts.map((part, at) =>
        isGroup(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own
          <Group key={at} n={at + 1} group={part} put={one => putPart(at, one)} remove={() => remove(at)} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name of their own
          <Row key={at} n={at + 1} row={part} put={one => putPart(at, one)} remove={() => remove(at)} />
        ),
      )}
      <Flex gap="2" mt="2">
        <Add label={t('ruleSet.addCondition')} add={() => put({ joins, parts: [...parts, fresh] })} />
        <Add
          label={t('ruleSet.addGroup')}
          add={() =>
            put({ joins, parts: [...parts, { joins: joins === 'all' ? 'any' : 'all', rows: [fresh, fresh] }] })
          }
        />
      </Flex>
    </div>
  )
}
