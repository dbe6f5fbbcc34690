using System.Text;

namespace Wire.Fuzz.Mutation;

/// <content>Changes of manifests and schemas.</content>
internal sealed partial class Mutator
{
    private static readonly byte[] Shapes = [0x40, 0x41, 0x43, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4B];

    // Manifests that come twice, that are missing, or in another order.
    private byte[] Manifests(Layout layout)
    {
        if (Pick(layout, PartKind.Definition) is not { } definition)
        {
            return layout.Input;
        }

        switch (random.Next(4))
        {
            case 0:
                return At(layout, PartKind.Use, _ => layout.Bytes(definition).ToArray());
            case 1:
                return layout.Replace(definition, [(byte)(0x80 + random.Next(layout.Of(PartKind.Definition).Count + 1))]);
            case 2:
                return layout.Replace(definition, pool.Pick(PartKind.Definition, random));
            default:
                Part other = Pick(layout, PartKind.Definition)!.Value;
                (Part first, Part second) = definition.Start < other.Start ? (definition, other) : (other, definition);
                return first.End > second.Start
                    ? layout.Input
                    : layout.Replace(
                        first.Start,
                        second.End,
                        [.. layout.Bytes(second), .. layout.Input.AsSpan(first.End, second.Start - first.End), .. layout.Bytes(first)]);
        }
    }

    private byte[] Shape(Layout layout, Part part)
    {
        byte[] shape = layout.Bytes(part).ToArray();
        switch (random.Next(6))
        {
            case 0:
                return pool.Pick(PartKind.Shape, random);
            case 1:
                // Another type whose values take as many bytes: what follows is still in its place.
                int size = LayoutReader.SizeOf(shape[0]);
                byte[] same =
                    [.. Enumerable.Range(0x10, 0x1A).Select(tag => (byte)tag).Where(tag => size > 0 && LayoutReader.SizeOf(tag) == size)];
                return same.Length > 0 ? [same[random.Next(same.Length)]] : shape;
            case 2:
                // The only member of something: its values lie as they did.
                return [0x44, 1, 1, (byte)'m', .. shape];
            case 3:
                return [Shapes[random.Next(Shapes.Length)], .. shape];
            case 4:
                return shape.Length > 1 ? shape[1..] : shape;
            default:
                return [.. Enumerable.Repeat((byte)0x41, random.Next(1, 40)), .. shape];
        }
    }

    private byte[] MemberName(Layout layout, Part part) => random.Next(4) switch
    {
        0 => pool.Pick(PartKind.MemberName, random),
        1 => [],
        2 => [.. layout.Bytes(part), (byte)'x'],
        _ => Encoding.UTF8.GetBytes(random.Next(2) == 0 ? "<items>" : "<exception>"),
    };
}
