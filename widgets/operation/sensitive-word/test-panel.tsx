import { type FormEvent, useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient } from '../../../core/client/providers.tsx'
import type { InputOf, OutputOf } from '../../../core/contract/endpoint.ts'
import { scopes, sensitiveWord, type TextScope } from '../../../core/contract/operation/sensitive-word.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Section } from '../../../core/engine/drawer/facts.tsx'
import { Field } from '../../../core/engine/form/field.tsx'
import { messageOf, wrongIn } from '../../../core/engine/form/field-words.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { Drawer } from '../../../core/ui/overlay/drawer.tsx'
import { StatusBadge } from '../../../core/ui/status-badge.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { Marked } from './marked-text.tsx'

type Answer = OutputOf<typeof sensitiveWord.test>
const { shape } = sensitiveWord.test.input
const row = sensitiveWord.test.output.shape.matches.element
const tones = { pass: 'good', block: 'bad', warn: 'attention', replace: 'progress' } as const

const Found = ({ text, answer: { outcome, matches, replaced } }: { text: string; answer: Answer }) => {
  const t = useText()
  return (
    <Flex direction="column" aria-live="polite" mt="4">
      <Section title={<StatusBadge tone={tones[outcome]} label={dictText(t, 'TEXT_OUTCOME', outcome)} />}>
        <Text as="p" size="2">
          <Marked text={text} places={matches} />
        </Text>
      </Section>
      {replaced !== null && (
        <Section title={t('sensitiveWord.replaced')}>
          <Text as="p" size="2">
            {replaced}
          </Text>
        </Section>
      )}
      <Section title={t('sensitiveWord.matches')}>
        <SmallTable
          schema={row}
          rows={matches.map(match => ({ ...match, at: `${match.start} ${match.end} ${match.word}` }))}
          rowKey="at"
          names={['word', 'category', 'wordAction']}
          empty={t('sensitiveWord.noMatch')}
        />
      </Section>
    </Flex>
  )
}

/** Tries a text before it is sent: which words stand in it, and what would happen. */
export const TestPanel = ({ close }: DialogProps<never>) => {
  const t = useText()
  const client = useClient()
  const [input, setInput] = useState<{ text?: string; scope?: TextScope }>({ scope: scopes.values[0] })
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [found, setFound] = useState<{ text: string; answer: Answer } | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const run = async (event: FormEvent) => {
    event.preventDefault()
    setFailed(null)
    const flaws = wrongIn(sensitiveWord.test.input, input)
    setWrong(flaws)
    if (Object.keys(flaws).length) return
    try {
      const asked = input as InputOf<typeof sensitiveWord.test>
      setFound({ text: asked.text.trim(), answer: await client.call(sensitiveWord.test, asked) })
    } catch (error) {
      setFailed(error instanceof CallError ? error.message : t('common.noConnection'))
    }
  }
  return (
    <Drawer open onClose={() => close()} title={t('sensitiveWord.test')}>
      <Text as="p" size="2" color="gray" mb="3">
        {t('sensitiveWord.testHint')}
      </Text>
      <form className="mk-form" noValidate onSubmit={event => void run(event)}>
        {(['scope', 'text'] as const).map(name => (
          <Field
            key={name}
            name={name}
            schema={shape[name]}
            value={input[name]}
            error={wrong[name] === undefined ? undefined : messageOf(t, wrong[name], shape[name])}
            onChange={value => setInput({ ...input, [name]: value })}
          />
        ))}
        {failed && (
          <Callout.Root color="amber" size="1" role="alert">
            <Callout.Text>{failed}</Callout.Text>
          </Callout.Root>
        )}
        <div>
          <Button type="submit">{t('sensitiveWord.testRun')}</Button>
        </div>
      </form>
      {found && <Found {...found} />}
    </Drawer>
  )
}
