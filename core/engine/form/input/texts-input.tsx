import { useText } from '../../../element/i18n.ts'
import { Text, TextField } from '../../../ui/basics.ts'
import type { InputProps } from './input-props.ts'

const languages = ['zh', 'en', 'sw', 'vi'] as const
type Language = (typeof languages)[number]
type Texts = Partial<Record<Language, string>>

const names: Record<Language, string> = { zh: '中文', en: 'English', sw: 'Kiswahili', vi: 'Tiếng Việt' }

/** The same words in each language, one below the other; each that is still missing says so. */
export const TextsInput = ({ tied, label, value, onChange }: InputProps) => {
  const t = useText()
  const texts = (value ?? {}) as Texts
  const put = (language: Language, text: string) => {
    const next = Object.fromEntries(
      languages.flatMap(one => {
        const words = one === language ? text : texts[one]
        return words ? [[one, words]] : []
      }),
    )
    onChange(Object.keys(next).length ? next : undefined)
  }
  return (
    <div
      role="group"
      className="mk-texts"
      aria-labelledby={tied['aria-labelledby']}
      aria-describedby={tied['aria-describedby']}
    >
      {languages.map((language, index) => {
        const missing = language !== 'vi' && !texts[language]?.trim()
        const id = index === 0 ? tied.id : `${tied.id}-${language}`
        return (
          <div key={language}>
            <TextField.Root
              id={id}
              lang={language}
              value={texts[language] ?? ''}
              aria-label={`${label}: ${names[language]}`}
              aria-invalid={(tied['aria-invalid'] && missing) || undefined}
              aria-describedby={missing ? `${id}-missing` : undefined}
              onChange={event => put(language, event.target.value)}
            >
              <TextField.Slot>{names[language]}</TextField.Slot>
            </TextField.Root>
            {missing && (
              <Text id={`${id}-missing`} size="1" color={tied['aria-invalid'] ? 'red' : 'gray'}>
                {t('validation.textMissing', { language: names[language] })}
              </Text>
            )}
          </div>
        )
      })}
    </div>
  )
}
