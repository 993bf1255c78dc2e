import type { ReactNode } from 'react'
import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import { useFile } from '../../../core/engine/files/use-file.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import sheet from '../../shared/message/phone.css?sheet'

type Words = { title: string | null | undefined; body: string | null | undefined }
type Content = {
  placement?: unknown
  image?: unknown
  titleZh?: unknown
  titleEn?: unknown
  titleSw?: unknown
  bodyZh?: unknown
  bodyEn?: unknown
  bodySw?: unknown
}
const shownIn = ['zh', 'en', 'sw'] as const
const tags = { zh: 'Zh', en: 'En', sw: 'Sw' } as const
const words = (of: Content, language: (typeof shownIn)[number]): Words => ({
  title: of[`title${tags[language]}`] as string | null,
  body: of[`body${tags[language]}`] as string | null,
})

const Picture = ({ uploadNo, title }: { uploadNo: string; title: string }) => {
  const address = useFile(uploadNo)
  return address ? <img src={address} alt={title} style={{ width: '100%', borderRadius: 4 }} /> : null
}

/** A content as a phone shows it, in the light and in the dark. */
const OnPhone = ({ of, head, image, dark }: { of: Words; head: string; image: string | null; dark: boolean }) => (
  <div className={dark ? 'mk-phone dark' : 'mk-phone'}>
    <div className="mk-phone-head">
      <Text size="1" color="gray">
        {head}
      </Text>
    </div>
    <div className="mk-phone-text">
      {image && <Picture uploadNo={image} title={of.title ?? ''} />}
      <Text as="div" size="2" weight="bold">
        {of.title}
      </Text>
      {of.body && <Text size="2">{of.body}</Text>}
    </div>
  </div>
)

/** A content in each language that it has, as phones show it. */
export const OnPhones = ({ of }: { of: Content }): ReactNode => {
  useSheet(sheet)
  const t = useText()
  const place = of.placement ? dictText(t, 'APP_PLACEMENT', String(of.placement)) : ''
  const image = typeof of.image === 'string' && of.image ? of.image : null
  const filled = shownIn.map(language => ({ language, of: words(of, language) })).filter(one => one.of.title)
  return (
    <Flex gap="4" wrap="wrap">
      {filled.map(({ language, of: own }, at) => (
        <OnPhone
          key={language}
          of={own}
          head={`${place} · ${dictText(t, 'CONTENT_LANGUAGE', language)}`}
          image={image}
          dark={at % 2 === 1}
        />
      ))}
    </Flex>
  )
}
