import { useText } from '../../../element/i18n.ts'
import { jsonFlaw } from '../../../rules/json/json-flaw.ts'
import { Button, Flex, Text } from '../../../ui/basics.ts'
import { TextArea } from '../../../ui/more.ts'
import type { InputProps } from './input-props.ts'

/** JSON in a fixed-width face: says line and column of what is wrong, and sets it neatly on demand. */
export const JsonInput = ({ tied, value, onChange }: InputProps) => {
  const t = useText()
  const text = String(value ?? '')
  const flaw = text.trim() === '' ? null : jsonFlaw(text)
  const place = `${tied.id}-place`
  return (
    <>
      <TextArea
        {...tied}
        className="mk-json"
        rows={8}
        spellCheck={false}
        value={text}
        aria-invalid={flaw ? true : tied['aria-invalid']}
        aria-describedby={[tied['aria-describedby'], place].filter(Boolean).join(' ')}
        onChange={event => onChange(event.target.value || undefined)}
      />
      <Flex justify="between" align="center" gap="2">
        <Text id={place} size="1" color={flaw ? 'red' : 'gray'} aria-live="polite">
          {flaw ? t('validation.jsonAt', flaw) : ''}
        </Text>
        <Button
          type="button"
          size="1"
          variant="soft"
          color="gray"
          disabled={flaw !== null || text.trim() === ''}
          onClick={() => onChange(JSON.stringify(JSON.parse(text), null, 2))}
        >
          {t('common.formatJson')}
        </Button>
      </Flex>
    </>
  )
}
