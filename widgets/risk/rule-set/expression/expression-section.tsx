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

/** The expression of one rule of a draft: as coloured text or as rows, whichever somebody likes, one key apart; both write the same. */
export const ExpressionSection = ({ rules, put }: Props) => {
  const t = useText()
  const hint = useId()
  const [chosen, setChosen] = useState(0)
  const [mode, setMode] = useState<Mode>('text')
  /** What the rows wrote last: what is typed elsewhere is read again. */
  const wrote = useRef<string>(undefined)
  const [turn, setTurn] = useState(0)
  /** Who switches by key goes on in what is shown then. */
  const body = useRef<HTMLDivElement>(null)
  const follows = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn shows something else
  useEffect(() => {
    if (follows.current) body.current?.querySelector<HTMLElement>('.cm-content, .mk-built-row button')?.focus()
    follows.current = false
  }, [turn])
  const at = Math.min(chosen, rules.length - 1)
  const text = rules[at]?.expression ?? ''
  const built = text.trim() ? readBuilt(text) : empty
  const isOwn = wrote.current === text
  /** What the rows began with: they begin again only where somebody else changed the text. */
  const begun = useRef(text)
  if (!isOwn) begun.current = text
  if (at < 0) return null
  const toggle = (next: Mode) => {
    wrote.current = undefined
    setTurn(turn + 1)
    setMode(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.code !== 'KeyB') return
    event.preventDefault()
    follows.current = true
    toggle(mode === 'text' ? 'rows' : 'text')
  }
  const names = rules.map((rule, index) => ({ value: String(index), label: rule.ruleNo || `${index + 1}` }))
  const cannot = mode === 'rows' && built === null && !isOwn
  return (
    <section className="mk-section" aria-label={t('ruleSet.editor')} onKeyDown={onKeyDown}>
      <Flex gap="3" align="center" wrap="wrap" mb="2">
        <Text size="2" weight="medium">
          {t('ruleSet.editor')}
        </Text>
        <div style={{ minWidth: 180 }}>
          <Choose
            single
            label={t('fields.ruleNo')}
            options={names}
            value={[String(at)]}
            onChange={([next]) => {
              if (next === undefined) return
              wrote.current = undefined
              setTurn(turn + 1)
              setChosen(Number(next))
            }}
            words={{ search: t('common.search'), none: t('common.noMatch'), clear: t('common.clear') }}
          />
        </div>
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
      {cannot && (
        <Callout.Root size="1" color="amber" mb="2" role="status">
          <Callout.Text>{t('ruleSet.cannotShow')}</Callout.Text>
        </Callout.Root>
      )}
      <div ref={body}>
        {mode === 'text' || cannot ? (
          <Suspense fallback={<Skeleton height="42px" />}>
            <TextEditor
              label={t('fields.expression')}
              describedBy={hint}
              value={text}
              onChange={next => next !== text && put(at, next)}
            />
          </Suspense>
        ) : (
          <Builder
            key={`${at} ${turn} ${begun.current}`}
            built={built ?? empty}
            onChange={next => {
              wrote.current = next
              put(at, next)
            }}
          />
        )}
      </div>
    </section>
  )
}
