// Tiles of a map below the track, from the server that the operator configured, in its Web Mercator grid.
const TILE_PX = 256;
const MOST_LEVEL = 19;
const MOST_TILES = 64;
const MOST_KEPT = 256;
const EARTH_M = 6371000;
const MOST_LATITUDE = 85;
const RADIANS = Math.PI / 180;

const columnOf = (lon, count) => ((lon + 180) / 360) * count;
const rowOf = (lat, count) => ((1 - Math.asinh(Math.tan(lat * RADIANS)) / Math.PI) / 2) * count;
const lonOf = (column, count) => (column / count) * 360 - 180;
const latOf = (row, count) => Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / count))) / RADIANS;

/** The tiles of one server; calls onLoad when another one has been loaded. */
export class TileMap {
  constructor(address, onLoad) {
    this.address = address;
    this.onLoad = onLoad;
    this.pictures = new Map();
  }

  /**
   * view: origin {lat, lon} of the metres, place of the middle of the picture in metres (east, north) and where it is
   * (width / 2, middle), pixels per metre (scale), size, and device pixels per pixel (ratio).
   */
  draw(ctx, view) {
    const perDegree = RADIANS * EARTH_M;
    const cos = Math.cos(view.origin.lat * RADIANS);
    const lonAt = (x) => view.origin.lon + (view.east + (x - view.width / 2) / view.scale) / (perDegree * cos);
    const latAt = (y) => view.origin.lat + (view.north - (y - view.middle) / view.scale) / perDegree;
    const xAt = (lon) => view.width / 2 + ((lon - view.origin.lon) * perDegree * cos - view.east) * view.scale;
    const yAt = (lat) => view.middle - ((lat - view.origin.lat) * perDegree - view.north) * view.scale;
    const [west, east] = [lonAt(0), lonAt(view.width)];
    const [north, south] = [latAt(0), latAt(view.height)];
    if (!(Math.max(Math.abs(north), Math.abs(south)) < MOST_LATITUDE) || west < -180 || east > 180) return;
    const ideal = Math.log2((360 / (east - west)) * ((view.width * view.ratio) / TILE_PX));
    for (let level = Math.max(0, Math.min(MOST_LEVEL, Math.round(ideal))); level >= 0; level--) {
      const count = 2 ** level;
      const columns = [Math.floor(columnOf(west, count)), Math.floor(columnOf(east, count))].map((n) => Math.min(count - 1, n));
      const rows = [Math.floor(rowOf(north, count)), Math.floor(rowOf(south, count))];
      if ((columns[1] - columns[0] + 1) * (rows[1] - rows[0] + 1) > MOST_TILES) continue;
      ctx.save();
      ctx.globalAlpha = 0.75;
      for (let row = rows[0]; row <= rows[1]; row++) {
        for (let column = columns[0]; column <= columns[1]; column++) {
          const picture = this.picture(level, column, row);
          if (!picture) continue;
          // Integer pixels, so that there are no seams between neighbours.
          const [left, right] = [column, column + 1].map((n) => Math.round(xAt(lonOf(n, count))));
          const [top, bottom] = [row, row + 1].map((n) => Math.round(yAt(latOf(n, count))));
          ctx.drawImage(picture, left, top, right - left, bottom - top);
        }
      }
      ctx.restore();
      return;
    }
  }

  /** A tile if it is loaded; otherwise requests it. A missing tile is not requested again. */
  picture(level, column, row) {
    const address = this.address.replace("{z}", level).replace("{x}", column).replace("{y}", row);
    let picture = this.pictures.get(address);
    if (!picture) {
      picture = new Image();
      picture.onload = () => this.onLoad();
      picture.src = address;
    } else {
      this.pictures.delete(address);
    }
    this.pictures.set(address, picture);
    if (this.pictures.size > MOST_KEPT) this.pictures.delete(this.pictures.keys().next().value);
    return picture.complete && picture.naturalWidth ? picture : null;
  }
}
