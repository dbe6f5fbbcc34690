namespace Wire.Gates.Tests.Architecture;

/// <summary>The layers of an assembly, from the lowest up: each may refer to itself and to those before it.</summary>
internal sealed class Layers(params Layer[] order)
{
    /// <summary>Gets the layers of the core. What is drawn in docs/architecture.md is the same.</summary>
    public static Layers Core { get; } = new(
        new(
            "values",
            "Options/Attributes.cs",
            "Options/ContextAttributes.cs",
            "GraphDifference.cs",
            "Options/KnownTypes.cs",
            "Options/MissingMembers.cs",
            "Payloads/DeadLetter.cs",
            "Payloads/PayloadCondition.cs",
            "Options/WireTypeRow.cs",
            "Options/WireTypes.cs",
            "Exceptions/",
            "Runtime/"),
        new("errors", "Errors/"),
        new("buffers", "Buffers/"),
        new("formats", "Format/"),
        new("names", "Options/TypeAliases.cs", "Resolution/"),
        new("filter", "Options/WireTypeFilter.cs", "Filtering/"),
        new(
            "engine",
            "DeserializerSession.cs",
            "Options/FrameworkSurrogates.cs",
            "GraphEquality.cs",
            "ICompiler.cs",
            "Options/IUnknownMembers.cs",
            "Options/Limits.cs",
            "Options/SchemaDifference.cs",
            "Serializer.cs",
            "Options/SerializerOptions.cs",
            "SerializerSession.cs",
            "Options/Surrogate.cs",
            "Options/UnknownMembers.cs",
            "ValueSerializer.cs",
            "ValueSerializerFactory.cs",
            "WireReader.cs",
            "WireWriter.cs",
            "AsyncSequences/",
            "Configuring/",
            "Copying/",
            "Equality/",
            "Flat/",
            "Framing/",
            "Manifests/",
            "Plans/",
            "Sessions/",
            "Skipping/",
            "Slots/",
            "Surrogates/",
            "Types/",
            "Unknown/",
            "Values/"),
        new(
            "compilation",
            "Generated/FlatInput.cs",
            "Generated/FlatOutput.cs",
            "Generated/FlatPart.cs",
            "Generated/FlatRoot.cs",
            "Compilation/"),
        new("families", "WireRow.cs", "Generated/MemberCode.cs", "OptIn/", "SerializerFactories/", "ValueSerializers/"),
        new(
            "paths",
            "Payloads/PayloadDictionaryView.cs",
            "Payloads/PayloadElements.cs",
            "Payloads/PayloadListView.cs",
            "Payloads/PayloadPath.cs",
            "Payloads/PayloadPaths.cs",
            "Payloads/PayloadText.cs",
            "Payloads/PayloadView.cs",
            "Payloads/PayloadViewMember.cs",
            "Payloads/PayloadViews.cs",
            "Incremental/",
            "Paths/"));

    /// <summary>Gets the layers of what looks at payloads and types, which know all of the core. They are drawn above it.</summary>
    public static Layers Inspection { get; } = new(
        new(
            "documents",
            "PayloadDocument.cs",
            "PayloadDocumentSession.cs",
            "PayloadJsonOptions.cs",
            "PayloadKind.cs",
            "PayloadMember.cs",
            "PayloadNode.cs",
            "PayloadType.cs",
            "Documents/"),
        new("dump", "PayloadDump.cs", "Diagnostics/"),
        new(
            "contracts",
            "ContractChangedException.cs",
            "ContractComparison.cs",
            "ContractDifference.cs",
            "ContractDirection.cs",
            "ContractVerdict.cs",
            "WireContract.cs",
            "Contracting/"));

    /// <summary>Gets the layers, from the lowest up.</summary>
    public IReadOnlyList<Layer> Order => order;

    /// <summary>Finds the layer of a file.</summary>
    /// <exception cref="InvalidOperationException">It is in none, or in several.</exception>
    public Layer Find(string file) => order.Where(layer => layer.Has(file)).ToArray() is [var only]
        ? only
        : throw new InvalidOperationException($"{file} is not in exactly one layer.");

    /// <summary>Lists the references from a layer to a higher one.</summary>
    public IEnumerable<(string From, string To)> FindUpward(SourceReferences references) =>
        from source in references.Targets
        from target in source.Value
        where Array.IndexOf(order, Find(source.Key)) < Array.IndexOf(order, Find(target))
        select (source.Key, target);
}
