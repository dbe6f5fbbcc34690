using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Runtime.Loader;

namespace Wire.Tests.Testing;

/// <summary>Small assemblies that tests make themselves, as the bytes of a file.</summary>
internal static class MadeAssembly
{
    /// <summary>Makes an assembly.</summary>
    /// <param name="name">Its simple name.</param>
    /// <param name="define">Defines its types.</param>
    /// <param name="forwards">Types that it forwards, each with its namespace, name and assembly.</param>
    /// <param name="likeFramework">Whether it has the key of .NET.</param>
    public static byte[] Make(
        string name, Action<ModuleBuilder> define, (string Space, string Name, string To)[]? forwards = null, bool likeFramework = false)
    {
        var assemblyName = new AssemblyName(name) { Version = new Version(1, 2, 3, 4) };
        if (likeFramework)
        {
            assemblyName.SetPublicKey(typeof(object).Assembly.GetName().GetPublicKey());
        }

        var assembly = new PersistedAssemblyBuilder(assemblyName, typeof(object).Assembly);
        define(assembly.DefineDynamicModule(name));
        MetadataBuilder metadata = assembly.GenerateMetadata(out BlobBuilder code, out BlobBuilder data);
        foreach ((string space, string type, string to) in forwards ?? [])
        {
            AssemblyReferenceHandle target =
                metadata.AddAssemblyReference(metadata.GetOrAddString(to), new Version(1, 0, 0, 0), default, default, default, default);
            metadata.AddExportedType((TypeAttributes)0x00200000, metadata.GetOrAddString(space), metadata.GetOrAddString(type), target, 0);
        }

        var file = new BlobBuilder();
        new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(metadata), code, data).Serialize(file);
        return file.ToArray();
    }

    /// <summary>Defines a public class with public fields.</summary>
    public static TypeBuilder Class(this ModuleBuilder module, string name, params (string Name, Type Type)[] fields) =>
        module.DefineType(name, TypeAttributes.Public | TypeAttributes.Class).With(fields);

    /// <summary>Adds public fields.</summary>
    public static TypeBuilder With(this TypeBuilder type, params (string Name, Type Type)[] fields)
    {
        foreach ((string field, Type fieldType) in fields)
        {
            type.DefineField(field, fieldType, FieldAttributes.Public);
        }

        return type;
    }

    /// <summary>Defines an enum with the values A and B.</summary>
    public static Type Enum(this ModuleBuilder module, string name, bool isPublic = true)
    {
        EnumBuilder made = module.DefineEnum(name, isPublic ? TypeAttributes.Public : TypeAttributes.NotPublic, typeof(int));
        made.DefineLiteral("A", 0);
        made.DefineLiteral("B", 1);
        return made.CreateType();
    }

    public static Assembly Load(this AssemblyLoadContext context, byte[] file) => context.LoadFromStream(new MemoryStream(file));
}
