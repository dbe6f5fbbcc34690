namespace Wire.Manifests;

/// <summary>
/// A table of manifests by their bytes, without decoding or copying. One thread at a time may change it; any number may read meanwhile. Not
/// a generic dictionary, because its code for such keys would have to be compiled before the first message.
/// </summary>
internal sealed class ManifestTable
{
    private const int FirstBuckets = 16;

    private Node?[] _buckets = new Node?[FirstBuckets];

    /// <summary>Gets the number of manifests.</summary>
    public int Count { get; private set; }

    /// <summary>Gets the total number of bytes.</summary>
    public int Bytes { get; private set; }

    public Manifest? Find(ReadOnlySpan<byte> bytes)
    {
        int hash = Hash(bytes);
        Node?[] buckets = Volatile.Read(ref _buckets);
        for (Node? node = Volatile.Read(ref buckets[Bucket(buckets, hash)]); node is not null; node = node.Next)
        {
            if (node.Hash == hash && bytes.SequenceEqual(node.Manifest.Bytes))
            {
                return node.Manifest;
            }
        }

        return null;
    }

    /// <summary>Adds a manifest that is not there.</summary>
    public void Add(Manifest manifest)
    {
        if (Count >= _buckets.Length)
        {
            Grow();
        }

        int hash = Hash(manifest.Bytes);
        Put(_buckets, hash, manifest);
        Count++;
        Bytes += manifest.Bytes.Length;
    }

    /// <summary>Removes a manifest, if it is there: this one, and no other with the same bytes.</summary>
    public void Remove(Manifest manifest)
    {
        ref Node? bucket = ref _buckets[Bucket(_buckets, Hash(manifest.Bytes))];
        Node? others = null;
        bool found = false;
        // Concurrent lookups still use the old nodes.
        for (Node? node = bucket; node is not null; node = node.Next)
        {
            if (ReferenceEquals(node.Manifest, manifest))
            {
                found = true;
            }
            else
            {
                others = new Node(node.Hash, node.Manifest, others);
            }
        }

        if (found)
        {
            Volatile.Write(ref bucket, others);
            Count--;
            Bytes -= manifest.Bytes.Length;
        }
    }

    private void Grow()
    {
        var larger = new Node?[_buckets.Length * 2];
        foreach (Node? first in _buckets)
        {
            for (Node? node = first; node is not null; node = node.Next)
            {
                Put(larger, node.Hash, node.Manifest);
            }
        }

        Volatile.Write(ref _buckets, larger);
    }

    private static void Put(Node?[] buckets, int hash, Manifest manifest)
    {
        ref Node? bucket = ref buckets[Bucket(buckets, hash)];
        Volatile.Write(ref bucket, new Node(hash, manifest, bucket));
    }

    private static int Bucket(Node?[] buckets, int hash) => hash & (buckets.Length - 1);

    // HashCode is seeded per process, so an attacker cannot make manifests collide.
    private static int Hash(ReadOnlySpan<byte> bytes)
    {
        var hash = new HashCode();
        hash.AddBytes(bytes);
        return hash.ToHashCode();
    }

    private sealed class Node(int hash, Manifest manifest, Node? next)
    {
        public readonly int Hash = hash;
        public readonly Manifest Manifest = manifest;
        public readonly Node? Next = next;
    }
}
