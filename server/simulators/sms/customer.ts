/** A customer of the vendor: how it signs in, and where its reports go. */
export type Customer = {
  username: string
  apiKey: string
  reportUrl: string | null
  /** Where reports of its other channels go. */
  channelReportUrls?: Readonly<Record<string, string>>
}
