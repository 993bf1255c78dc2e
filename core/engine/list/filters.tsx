import { useState } from 'react'
import type { z } from 'zod'
import { metaOf } from '../../contract/fields.ts'
import { useText } from '../../element/i18n.ts'
import { formatMoney, parseMoneyInput } from '../../rules/amount.ts'
import type { DateRange as Days } from '../../rules/time.ts'
import { Badge, Button, Flex, TextField } from '../../ui/basics.ts'
import { Choose } from '../../ui/choose/choose.tsx'
import { Icon } from '../../ui/icons.tsx'
import { DateRange, isPreset, presetWord, rangeText } from '../form/date-range.tsx'
import { hasOptions, useOptions } from '../form/options.ts'
import { isTree, TreeChoice } from '../form/tree-choice.tsx'
import type { Listed } from '../screen.ts'
import { labelOf, listed, type Meta } from '../table/columns.ts'

type Values = Readonly<Record<string, unknown>>
type Change = (name: string, value: unknown) => void
type FieldProps = { name: string; meta: Meta; value: unknown; onChange: Change; onApply: () => void }

const inLine = 4
const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.every(part => part === null || part === ''))

const OptionFilter = ({ name, meta, value, onChange }: FieldProps) => {
  const t = useText()
  const options = useOptions(meta)
  const chosen = Array.isArray(value) ? (value as string[]) : isEmpty(value) ? [] : [String(value)]
  const single = !meta.many
  const give = (next: string[]) => {
    if (next.length === 0) return undefined
    return single ? (meta.kind === 'flag' ? next[0] === 'true' : next[0]) : next
  }
  return (
    <Choose
      label={labelOf(t, name)}
      options={options}
      value={chosen}
      single={single}
      onChange={next => onChange(name, give(next))}
      words={{ search: t('common.search'), none: t('common.noMatch'), clear: t('common.clear') }}
    />
  )
}

const parsePart = (meta: Meta, text: string) =>
  text.trim() === ''
    ? null
    : meta.kind === 'money'
      ? parseMoneyInput(text)
      : Number.isInteger(Number(text))
        ? Number(text)
        : null

const NumberRange = ({ name, meta, value, onChange, onApply }: FieldProps) => {
  const t = useText()
  const parts = (value ?? [null, null]) as [unknown, unknown]
  const put = (at: 0 | 1, text: string) => {
    const next = [...parts] as [unknown, unknown]
    next[at] = parsePart(meta, text)
    onChange(name, isEmpty(next) ? undefined : next)
  }
  const label = labelOf(t, name)
  const end = (at: 0 | 1, word: string) => (
    <TextField.Root
      size="2"
      className="mk-narrow"
      inputMode="decimal"
      aria-label={`${label} ${word}`}
      placeholder={at === 0 ? `${label} ≥` : '≤'}
      style={at === 0 ? { minWidth: `calc(${label.length + 2}ch + 20px)` } : undefined}
      defaultValue={parts[at] === null ? '' : String(parts[at])}
      onBlur={event => put(at, event.target.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') {
          put(at, event.currentTarget.value)
          onApply()
        }
      }}
    />
  )
  return (
    <Flex gap="1">
      {end(0, t('common.from'))}
      {end(1, t('common.to'))}
    </Flex>
  )
}

const TextFilter = ({ name, value, onChange, onApply }: FieldProps) => {
  const t = useText()
  return (
    <TextField.Root
      size="2"
      className="mk-filter-text"
      value={String(value ?? '')}
      placeholder={labelOf(t, name)}
      aria-label={labelOf(t, name)}
      onChange={event => onChange(name, event.target.value || undefined)}
      onKeyDown={event => void (event.key === 'Enter' && onApply())}
    />
  )
}

const Filter = (props: FieldProps) => {
  const { name, meta, value, onChange } = props
  const t = useText()
  if (meta.range && meta.kind === 'time')
    return (
      <DateRange label={labelOf(t, name)} value={value as Days | undefined} onChange={range => onChange(name, range)} />
    )
  if (meta.range) return <NumberRange {...props} />
  if (isTree(meta))
    return (
      <TreeChoice meta={meta} label={labelOf(t, name)} value={value} past onChange={next => onChange(name, next)} />
    )
  return hasOptions(meta) ? <OptionFilter {...props} /> : <TextFilter {...props} />
}

/** An active filter in words, with a button that removes it. */
const Chip = ({ name, meta, value, onRemove }: { name: string; meta: Meta; value: unknown; onRemove: () => void }) => {
  const t = useText()
  const options = useOptions(meta)
  const word = (one: unknown) =>
    meta.kind === 'money'
      ? formatMoney(String(one))
      : (options.find(option => option.value === String(one))?.label ?? String(one))
  const text = isPreset(value)
    ? t(presetWord(value))
    : meta.range
      ? rangeText(
          (value as [unknown, unknown]).map(part =>
            part === null ? null : meta.kind === 'time' ? part : word(part),
          ) as unknown as [unknown, unknown],
        )
      : Array.isArray(value)
        ? listed(t, value.map(word))
        : word(value)
  return (
    <Badge size="2" variant="soft" color="gray" className="mk-chip">
      {t('common.labelled', { label: labelOf(t, name), value: text })}
      <button
        type="button"
        className="mk-chip-cross"
        aria-label={t('common.removeFilter', { name: labelOf(t, name) })}
        onClick={onRemove}
      >
        <Icon name="close" size={10} />
      </button>
    </Badge>
  )
}

type FiltersProps = {
  list: Listed
  names: readonly string[]
  value: Values
  start: Values
  /** What the quick filter in force says. */
  said: Values
  onApply: (filters: Values) => void
}

/** What was typed; a choice applies at once. */
const useTyped = ({ list, value, onApply }: Pick<FiltersProps, 'list' | 'value' | 'onApply'>) => {
  const [typed, setTyped] = useState<Values>(value)
  const [applied, setApplied] = useState(value)
  if (applied !== value) {
    setApplied(value)
    setTyped(value)
  }
  const meta = (name: string) => metaOf(list.filters[name] as z.ZodType)
  const clean = (values: Values) => Object.fromEntries(Object.entries(values).filter(([, one]) => !isEmpty(one)))
  const apply = (values: Values = typed) => onApply(clean(values))
  const change: Change = (name, next) => {
    const values = { ...typed, [name]: next }
    setTyped(values)
    const kind = meta(name)
    if (hasOptions(kind) || kind.range) apply(values)
  }
  return { typed, meta, apply, change }
}

/**
 * One line of filters: the four most used, the rest under *More*. What is in force stands in its own field; of a field out of sight in a
 * chip, unless something else says it already. Enter applies.
 */
export const Filters = ({ list, names, start, value, said, onApply }: FiltersProps) => {
  const t = useText()
  const { typed, meta, apply, change } = useTyped({ list, value, onApply })
  const [more, setMore] = useState(false)
  const shown = names.filter((_, index) => index < inLine || more)
  const chips = names.filter(name => !shown.includes(name) && !(name in said) && !isEmpty(value[name]))
  return (
    <search className="mk-filters">
      <Flex gap="2" wrap="wrap" align="center">
        {shown.map(name => (
          <Filter
            key={name}
            name={name}
            meta={meta(name)}
            value={typed[name]}
            onChange={change}
            onApply={() => apply()}
          />
        ))}
        {names.length > inLine && (
          <Button
            type="button"
            variant="ghost"
            color="gray"
            className="mk-more"
            aria-expanded={more}
            onClick={() => setMore(!more)}
          >
            {more ? t('common.fewer') : t('common.moreFilters', { n: names.length - inLine })}
          </Button>
        )}
        {chips.map(name => (
          <Chip
            key={name}
            name={name}
            meta={meta(name)}
            value={value[name]}
            onRemove={() => apply({ ...typed, [name]: undefined })}
          />
        ))}
        <Button type="button" onClick={() => apply()}>
          <Icon name="search" size={14} />
          {t('common.search')}
        </Button>
        <Button type="button" variant="soft" color="gray" onClick={() => apply(start)}>
          {t('common.reset')}
        </Button>
      </Flex>
    </search>
  )
}
