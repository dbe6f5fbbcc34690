using Quickstart.Metadata;
using Wire;

namespace Quickstart.Contest;

internal sealed class WireRun : IContender
{
    #region serializer
    private readonly Serializer _serializer = new(new SerializerOptions
    {
        PreserveObjectReferences = true,
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<MetadataNode>(),
        Limits = new Limits { MaxDepth = 1_000_000 },
    });
    #endregion

    public string Name => "Wire";

    public void Write(AssemblyNode graph, Stream stream) => _serializer.Serialize(graph, stream);

    public AssemblyNode Read(Stream stream) => _serializer.Deserialize<AssemblyNode>(stream)!;
}
