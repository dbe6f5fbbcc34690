/** A rectangle in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Lays out areas in a box, in their order, in rows that are as square as they can be: the largest should come first. */
export function squarify(areas: readonly number[], box: Box): Box[] {
  const total = areas.reduce((sum, area) => sum + area, 0);
  const scale = total > 0 ? (box.width * box.height) / total : 0;
  const boxes: Box[] = [];
  let rest = box;
  for (let start = 0; start < areas.length; ) {
    const side = Math.min(rest.width, rest.height);
    let end = start + 1;
    let sum = (areas[start] ?? 0) * scale;
    while (end < areas.length && worst(areas, start, end + 1, sum + (areas[end] ?? 0) * scale, side, scale)
      <= worst(areas, start, end, sum, side, scale)) {
      sum += (areas[end] ?? 0) * scale;
      end++;
    }
    rest = layOut(areas, start, end, sum, rest, scale, boxes);
    start = end;
  }
  return boxes;
}

/** The worst proportion of a row. */
function worst(areas: readonly number[], start: number, end: number, sum: number, side: number, scale: number): number {
  const largest = (areas[start] ?? 0) * scale;
  const smallest = (areas[end - 1] ?? 0) * scale;
  return sum === 0 || smallest === 0 ? Infinity : Math.max((side * side * largest) / (sum * sum), (sum * sum) / (side * side * smallest));
}

/** Puts a row along the shorter side, and returns what is left of the box. */
function layOut(areas: readonly number[], start: number, end: number, sum: number, box: Box, scale: number, boxes: Box[]): Box {
  const isColumn = box.width >= box.height;
  const side = isColumn ? box.height : box.width;
  const thickness = side > 0 ? sum / side : 0;
  let along = 0;
  for (let index = start; index < end; index++) {
    const length = thickness > 0 ? ((areas[index] ?? 0) * scale) / thickness : 0;
    boxes.push(isColumn
      ? { x: box.x, y: box.y + along, width: thickness, height: length }
      : { x: box.x + along, y: box.y, width: length, height: thickness });
    along += length;
  }
  return isColumn
    ? { x: box.x + thickness, y: box.y, width: Math.max(0, box.width - thickness), height: box.height }
    : { x: box.x, y: box.y + thickness, width: box.width, height: Math.max(0, box.height - thickness) };
}
