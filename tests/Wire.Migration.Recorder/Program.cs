using System.Reflection;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Formatters.Binary;
using Wire.Migration.Samples;

// BinaryFormatter is what this is about, and it writes objects of this program only.
#pragma warning disable SYSLIB0011

if (args is not [var folder])
{
    Console.Error.WriteLine("usage: Wire.Migration.Recorder <folder>");
    return 2;
}

const int LineLength = 120;
foreach (Sample sample in Sample.All)
{
    string path = Path.Combine(folder, sample.Name + ".txt");
    if (File.Exists(path))
    {
        continue; // What was recorded once is kept.
    }

    using var stream = new MemoryStream();
    new BinaryFormatter { Binder = new FormerNames() }.Serialize(stream, sample.Create());
    string[] lines =
    [
        $"# {sample.Note}",
        $"# Written by BinaryFormatter of System.Runtime.Serialization.Formatters on .NET {Environment.Version}, base64.",
        .. Convert.ToBase64String(stream.ToArray()).Chunk(LineLength).Select(line => new string(line)),
    ];
    File.WriteAllText(path, string.Join('\n', lines) + '\n');
    Console.WriteLine($"{sample.Name}: {stream.Length} bytes");
}

return 0;

/// <summary>Writes classes of the samples under the names of .NET Framework that they stand for.</summary>
internal sealed class FormerNames : SerializationBinder
{
    public override void BindToName(Type serializedType, out string? assemblyName, out string? typeName)
    {
        (assemblyName, typeName) = (null, null);
        if (serializedType.GetCustomAttribute<Wire.Migration.Samples.Former.WrittenAsAttribute>() is { } name)
        {
            assemblyName = name.Assembly;
            typeName = serializedType.IsGenericType
                ? $"{name.Name}[{string.Join(',', serializedType.GetGenericArguments().Select(type => $"[{type.AssemblyQualifiedName}]"))}]"
                : name.Name;
        }
    }

    public override Type BindToType(string assemblyName, string typeName) => throw new NotSupportedException("Nothing is read.");
}
