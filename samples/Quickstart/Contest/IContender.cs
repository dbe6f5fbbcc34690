using Quickstart.Metadata;

namespace Quickstart.Contest;

/// <summary>A serializer under measurement.</summary>
internal interface IContender
{
    string Name { get; }

    void Write(AssemblyNode graph, Stream stream);

    AssemblyNode Read(Stream stream);
}
