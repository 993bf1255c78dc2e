import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../../../core/element/i18n.ts'
import { type Built, readBuilt } from '../../../../core/rules/risk/builder.ts'
import { Callout, Flex, Skeleton, Text } from '../../../../core/ui/basics.ts'
import { Choose } from '../../../../core/ui/choose/choose.tsx'
import { SegmentedControl } from '../../../../core/ui/more.ts'
import { Builder } from './builder.tsx'

const TextEditor = lazy(async () => ({ default: (await import('./text-editor.tsx')).TextEditor }))

type RuleRow = { ruleNo?: string; expression?: string }
type Mode = 'text' | 'rows'
type Props = { rules: readonly RuleRow[]; put: (at: number, expression: string) => void }

const empty: Built = { joins: 'all', parts: [] }

type HeadProps = {
  rules: readonly RuleRow[]
  at: number
  choose: (at: number) => void
  mode: Mode
  toggle: (mode: Mode) => void
  hint: string
}

/** Which rule, and how it is edited. */
const Head = ({ rules, at, choose, mode, toggle, hint }: HeadProps) => {
  const t = useText()
  const names = rules.map((rule, index) => ({ value: String(index), label: rule.ruleNo || `${index + 1}` }))
  return (
    <Flex gap="3" align="center" wrap="wrap" mb="2">
      <Text size="2" weight="medium">
        {t('ruleSet.editor')}
      </Text>
      <Choose
        single
        label={t('fields.ruleNo')}
        options={names}
        value={[String(at)]}
        onChange={([next]) => next !== undefined && choose(Number(next))}
        words={{ search: t('common.search'), none: t('common.noMatch'), clear: t('common.clear') }}
      />
      <SegmentedControl.Root
        size="1"
        value={mode}
        onValueChange={next => toggle(next as Mode)}
        aria-label={t('ruleSet.editAs')}
        aria-keyshortcuts="Alt+B"
      >
        <SegmentedControl.Item value="text">{t('ruleSet.asText')}</SegmentedControl.Item>
        <SegmentedControl.Item value="rows">{t('ruleSet.asRows')}</SegmentedControl.Item>
      </SegmentedControl.Root>
      <Text size="1" color="gray" id={hint}>
        {t('ruleSet.editHint')}
      </Text>
    </Flex>
  )
}

type BodyProps = { text: string; mode: Mode; turn: string; hint: string; put: (text: string) => void }

/** The text, or the rows that it is read as; rows that are being typed stay rows, whole or not. */
const Body = ({ text, mode, turn, hint, put }: BodyProps) => {
  const t = useText()
  const wrote = useRef<string>(undefined)
  const begun = useRef(text)
  const turned = useRef(turn)
  if (turned.current !== turn) wrote.current = undefined
  turned.current = turn
  const isOwn = wrote.current === text
  if (!isOwn) begun.current = text
  const built = text.trim() ? readBuilt(text) : empty
  const cannot = mode === 'rows' && built === null && !isOwn
  if (mode === 'rows' && !cannot)
    return (
      <Builder
        key={`${turn} ${begun.current}`}
        built={built ?? empty}
        onChange={next => {
          wrote.current = next
          put(next)
        }}
      />
    )
  return (
    <>
      {cannot && (
        <Callout.Root size="1" color="amber" mb="2" role="status">
          <Callout.Text>{t('ruleSet.cannotShow')}</Callout.Text>
        </Callout.Root>
      )}
      <Suspense fallback={<Skeleton height="42px" />}>
        <TextEditor
          label={t('fields.expression')}
          describedBy={hint}
          value={text}
          onChange={next => next !== text && put(next)}
        />
      </Suspense>
    </>
  )
}

/** The expression of one rule of a draft: as coloured text or as conditions, whichever somebody likes, one key apart; both write the same. */
export const ExpressionSection = ({ rules, put }: Props) => {
  const t = useText()
  const hint = useId()
  const [chosen, setChosen] = useState(0)
  const [mode, setMode] = useState<Mode>('text')
  /** Who switches by key goes on in what is shown then. */
  const body = useRef<HTMLDivElement>(null)
  const follows = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each mode shows something else
  useEffect(() => {
    if (follows.current) body.current?.querySelector<HTMLElement>('.cm-content, .mk-built-row button')?.focus()
    follows.current = false
  }, [mode])
  const at = Math.min(chosen, rules.length - 1)
  if (at < 0) return null
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.code !== 'KeyB') return
    event.preventDefault()
    follows.current = true
    setMode(mode === 'text' ? 'rows' : 'text')
  }
  const text = rules[at]?.expression ?? ''
  return (
    <section className="mk-section" aria-label={t('ruleSet.editor')} onKeyDown={onKeyDown}>
      <Head rules={rules} at={at} choose={setChosen} mode={mode} toggle={setMode} hint={hint} />
      <div ref={body}>
        <Body text={text} mode={mode} turn={`${at} ${mode}`} hint={hint} put={next => put(at, next)} />
      </div>
    </section>
  )
}
