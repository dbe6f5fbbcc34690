using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Quickstart.Metadata;

namespace Quickstart.Contest;

/// <summary>The yardstick: System.Text.Json, told about the model from outside as Wire needs nothing on it either.</summary>
internal sealed class JsonRun : IContender
{
    private static readonly Type[] NodeTypes =
    [
        .. typeof(MetadataNode).Assembly.GetTypes().Where(type =>
            type is { IsAbstract: false, IsGenericTypeDefinition: false } && type.IsAssignableTo(typeof(MetadataNode))),
        typeof(Constant<bool>), typeof(Constant<char>), typeof(Constant<string>),
        typeof(Constant<sbyte>), typeof(Constant<short>), typeof(Constant<int>), typeof(Constant<long>),
        typeof(Constant<byte>), typeof(Constant<ushort>), typeof(Constant<uint>), typeof(Constant<ulong>),
        typeof(Constant<float>), typeof(Constant<double>),
    ];

    private readonly JsonSerializerOptions _options = new()
    {
        ReferenceHandler = ReferenceHandler.Preserve,
        MaxDepth = 1_000_000,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,

        // The strict encoder would escape the angle brackets of every compiler-generated name.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        TypeInfoResolver = new DefaultJsonTypeInfoResolver { Modifiers = { AddDerivedTypes } },
    };

    public string Name => "System.Text.Json";

    public void Write(AssemblyNode graph, Stream stream) => JsonSerializer.Serialize(stream, graph, _options);

    public AssemblyNode Read(Stream stream) => JsonSerializer.Deserialize<AssemblyNode>(stream, _options)!;

    private static void AddDerivedTypes(JsonTypeInfo info)
    {
        if (info.Type.IsAbstract && info.Type.IsAssignableTo(typeof(MetadataNode)))
        {
            info.PolymorphismOptions = new JsonPolymorphismOptions();
            foreach (var type in NodeTypes.Where(type => type.IsAssignableTo(info.Type)))
            {
                info.PolymorphismOptions.DerivedTypes.Add(new JsonDerivedType(type, Discriminator(type)));
            }
        }
    }

    private static string Discriminator(Type type) =>
        type.IsGenericType ? $"Constant<{type.GenericTypeArguments[0].Name}>" : type.Name;
}
