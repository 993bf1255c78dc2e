/** A place in degrees. */
export type Place = { latitude: number; longitude: number }

const earthMeters = 6_371_000
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The way between two places as the crow flies, in whole metres. */
export const metersBetween = (a: Place, b: Place): number => {
  const [lat, long] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)]
  const part =
    Math.sin(lat / 2) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(long / 2) ** 2
  return Math.round(2 * earthMeters * Math.asin(Math.min(1, Math.sqrt(part))))
}

/** Where places lie on a plain drawing around the first of them, in metres to the east and to the south. */
export const onPlane = (places: readonly Place[]): { east: number; south: number }[] => {
  const [at] = places
  if (!at) return []
  const perDegree = radians(1) * earthMeters
  return places.map(({ latitude, longitude }) => ({
    east: (longitude - at.longitude) * perDegree * Math.cos(radians(at.latitude)),
    south: (at.latitude - latitude) * perDegree,
  }))
}
