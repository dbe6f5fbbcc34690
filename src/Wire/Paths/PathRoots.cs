using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Buffers;
using Wire.Format;
using Wire.Manifests;

namespace Wire.Paths;

/// <summary>A kind of payload that a path has a program for.</summary>
/// <param name="Beginning">The bytes between the header and the root's content.</param>
/// <param name="Manifest">The manifest of the root; null for a root without.</param>
/// <param name="Types">The types that it begins with: that of the root, or none.</param>
/// <param name="Shape">The shape of the root's content.</param>
/// <param name="Part">The program.</param>
internal sealed record PathRoot(byte[] Beginning, Manifest? Manifest, PathTypes Types, Shape Shape, PathPart Part);

/// <summary>The kinds of payloads that a path has programs for. Thread-safe.</summary>
internal sealed class PathRoots(PathLimits limits, PathCompiler compiler)
{
    // Senders choose how many kinds there are, and each takes time to find: the one that was added first gives way.
    private const int Most = 16;

    private const int MostBytes = 1 << 14;
    private const int VectorBeginning = 2;

    private PathRoot[] _known = [];

    /// <summary>Finds the root of a payload that stands alone; null where there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public PathRoot? Find(ReadOnlySpan<byte> payload)
    {
        if (payload.Length > 0 && IsAlone(payload[0]))
        {
            foreach (PathRoot root in Volatile.Read(ref _known))
            {
                if (root.Beginning.Length < payload.Length
                    && Blocks.Begins(ref Unsafe.Add(ref MemoryMarshal.GetReference(payload), 1), root.Beginning))
                {
                    return root;
                }
            }
        }

        return null;
    }

    /// <summary>Finds the root with a manifest; null where there is none.</summary>
    public PathRoot? Find(Manifest manifest)
    {
        foreach (PathRoot root in Volatile.Read(ref _known))
        {
            if (ReferenceEquals(root.Manifest, manifest))
            {
                return root;
            }
        }

        return null;
    }

    /// <summary>Takes note of a payload that stands alone, in which the general way has looked.</summary>
    public void Note(ReadOnlySpan<byte> payload)
    {
        if (payload.Length <= VectorBeginning || !IsAlone(payload[0]))
        {
            return;
        }

        var parser = new ShapeParser(payload[1..]);
        switch (parser.ReadByte())
        {
            case Tag.Vector:
                Note(payload.Slice(1, VectorBeginning), null, TagTypes.VectorOf(payload[VectorBeginning]));
                break;
            case Tag.Definition when limits.TryFind(parser.ReadBytes(parser.ReadVarUInt32())) is { } manifest:
                Note(manifest);
                break;
        }
    }

    /// <summary>Takes note of the manifest of a payload's root, in which the general way has looked.</summary>
    public void Note(Manifest manifest)
    {
        if (manifest.Schema is { } schema)
        {
            Note(ManifestDefinition.Define(manifest.Bytes), manifest, schema);
        }
    }

    private void Note(ReadOnlySpan<byte> beginning, Manifest? manifest, Shape shape)
    {
        PathRoot[] known = Volatile.Read(ref _known);
        foreach (PathRoot root in known)
        {
            if (beginning.SequenceEqual(root.Beginning))
            {
                return;
            }
        }

        if (beginning.Length > MostBytes || compiler.Compile(shape, manifest, 0, new StrongBox<int>()) is not { } part)
        {
            return;
        }

        // Of two threads that add one at a time, one has to add it again.
        var added = new PathRoot(beginning.ToArray(), manifest, limits.NoTypes.BeginWith(manifest), shape, part);
        Volatile.Write(ref _known, [.. known.Length < Most ? known : known[1..], added]);
    }

    private static bool IsAlone(byte header) => (header & ~PayloadHeader.References) == PayloadHeader.Version;
}
