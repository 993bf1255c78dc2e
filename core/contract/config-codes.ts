/** Who may do what with the items of a config. */
export type ConfigCodes = Readonly<Record<'page' | 'save' | 'enable' | 'delete', string>> & {
  /** Who may make an item, where that is not who may change one: a call of its own. */
  readonly add?: string
}

/** The codes of a config: `{area}:page`, `:save`, `:enable`, `:delete`, where it names no others. */
export const codesOf = ({ area, codes }: { area: string; codes?: Partial<ConfigCodes> | undefined }): ConfigCodes => ({
  page: `${area}:page`,
  save: `${area}:save`,
  enable: `${area}:enable`,
  delete: `${area}:delete`,
  ...codes,
})

/** What stands for the codes of {@link configItem} in the machine of a config. */
export const ofActions = ({ save, enable, delete: remove }: ConfigCodes): Readonly<Record<string, string>> => ({
  '{area}:save': save,
  '{area}:enable': enable,
  '{area}:delete': remove,
})
