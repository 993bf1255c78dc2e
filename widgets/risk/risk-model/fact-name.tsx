import { useText } from '../../../core/element/i18n.ts'

/** An attribute of a model in words; a code of a service as it is. */
export const FactName = ({ name }: { name: string }) => {
  const t = useText()
  return <>{t.maybe(`ruleFact.${name}`) ?? name}</>
}

/** Several of them. */
export const FactNames = ({ names }: { names: string | null }) => {
  const t = useText()
  const list = names?.split(', ').map(name => t.maybe(`ruleFact.${name}`) ?? name)
  return <>{list?.join(t.language === 'zh' ? '；' : '; ') ?? '–'}</>
}
